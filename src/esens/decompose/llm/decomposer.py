"""A decomposer that asks a language model, and falls back on the rules where that fails.

Any server that speaks OpenAI's chat protocol will do. Every answer is checked against its query; a refused one is
asked for once more. This file imports the client, SQLite and asyncio only when a decomposer is made.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from esens.decompose.base import Decomposer, Progress, check_query, check_split
from esens.decompose.llm.grounding import check_stemmer
from esens.decompose.llm.prompt import prompt_for
from esens.decompose.llm.response import Answer, AnswerError, read_answer
from esens.decompose.llm.usage import ChatUsage
from esens.decompose.rules import decomposer as rules
from esens.errors import DecomposerError
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, ServerLimits, ServerSettings, checked_model
from esens.types import Decomposition, Exclusion, Provenance

if TYPE_CHECKING:
    from asyncio import Semaphore
    from concurrent.futures import Future

    from esens.decompose.cache import AnswerCache, AnswerKey
    from esens.decompose.llm.chat import Chat, ChatReply
    from esens.openai_client.connection import Reopenable

LONGEST_QUERY = 4000
# An answer that had to be asked for twice is right less often than one that was right at once.
_REPAIRED_CONFIDENCE = 0.9
# Nobody else sees this exclusion, or somebody sees one that the model does not: its sides cannot be checked.
_UNCONFIRMED_CONFIDENCE = 0.8


class LLMDecomposer:
    """Splits queries with a language model.

    ``model`` is the server's name for it. ``base_url`` is the server's, else ``OPENAI_BASE_URL``, else OpenAI's;
    ``api_key``, else ``OPENAI_API_KEY``, is sent there, and a server of your own may need none.

    The limits, with which a client of any server can be made: ``timeout`` in seconds bounds every try, ``retries``
    how many follow the first, ``deadline`` all that a query takes (None is twice the timeout), ``concurrency`` the
    calls at a time, and ``max_reply_bytes`` a reply. After ``max_failures`` queries in a row without a reply, or
    one if the server is gone, no call goes out for ``pause`` seconds, and the fallback answers meanwhile; 0
    never stops.

    ``single_trap`` asks for the paper's two fields, a target and one trap, instead of exclusions with their
    relations. ``cache`` is True for a file at the usual place, a path, or False. ``fallback`` answers where the
    model does not; None raises instead.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        single_trap: bool = False,
        cache: bool | str | Path = True,
        fallback: Decomposer | None = rules.decompose,
        **limits: Unpack[ServerLimits],
    ) -> None:
        self.model = checked_model(model, example="openai:gpt-4o-mini")
        server = ServerSettings.of(base_url, api_key, limits, defaults=LANGUAGE_MODEL_LIMITS)
        self.base_url = server.base_url
        self._concurrency = server.concurrency
        self.single_trap = single_trap
        self._fallback = fallback
        self._prompt = prompt_for(single_trap=single_trap)
        self._provenance = Provenance(self.name, self._prompt.version, self._prompt.hash)
        self._usage = ChatUsage()
        check_stemmer()
        self._cache = _open_cache(cache)
        self._chat = _reopening_chat(model, server)

    def __repr__(self) -> str:
        return f"LLMDecomposer({self.model!r}, base_url={self.base_url!r}, single_trap={self.single_trap})"

    @property
    def name(self) -> str:
        """The spec that names this decomposer."""
        return f"openai:{self.model}"

    @property
    def usage(self) -> ChatUsage:
        """What was used so far, over all calls."""
        return self._usage

    def __call__(self, query: str, /) -> Decomposition:
        """Split one query."""
        return self.decompose_all([query])[0]

    def decompose_all(self, queries: Sequence[str], /, *, progress: Progress | None = None) -> list[Decomposition]:
        """Split many, several at a time; also inside a running event loop, which waits meanwhile.

        Every answer is kept at once, so a run that was interrupted goes on where it stopped.
        """
        from concurrent.futures import as_completed

        batch = _QueryBatch(queries, progress)
        futures = self._submit(batch.different)
        try:
            for future in as_completed(futures):
                batch.add(*future.result())
        finally:
            for future in futures:
                future.cancel()
        return batch.in_order()

    async def adecompose(self, query: str, /) -> Decomposition:
        """Split one query without blocking the event loop."""
        return (await self.adecompose_all([query]))[0]

    async def adecompose_all(
        self, queries: Sequence[str], /, *, progress: Progress | None = None
    ) -> list[Decomposition]:
        """Split many without blocking the event loop."""
        import asyncio

        batch = _QueryBatch(queries, progress)
        futures = [asyncio.wrap_future(future) for future in self._submit(batch.different)]
        try:
            for future in asyncio.as_completed(futures):
                batch.add(*await future)
        finally:
            for pending in futures:
                pending.cancel()
            await asyncio.gather(*futures, return_exceptions=True)
        return batch.in_order()

    def close(self) -> None:
        """Close the connections, as happens by itself when nobody holds this any more; a later call opens new."""
        self._chat.close()

    def _submit(self, queries: "Iterable[str]") -> "list[Future[tuple[str, Decomposition]]]":
        import asyncio

        # A query's time begins when those before it in its own batch are done: a long batch is no reason to hurry.
        queue = asyncio.Semaphore(self._concurrency)
        with self._chat.open() as chat:
            return [chat.submit(self._decompose(query, chat, queue)) for query in queries]

    async def _decompose(self, query: str, chat: "Chat", queue: "Semaphore") -> tuple[str, Decomposition]:
        from asyncio import CancelledError

        from esens.decompose.llm.chat import CLOSED_MEANWHILE, NoAnswerError

        if (cached := self._cached(query)) is not None:
            return query, cached
        talk = _Conversation(query)
        try:
            async with queue:
                talk.ends = chat.deadline()
                answer = await self._answer(talk, chat)
        except NoAnswerError as error:
            failure = str(error)
        except CancelledError:
            if not chat.is_closing:
                raise
            failure = CLOSED_MEANWHILE
        else:
            self._put_in_cache(talk)
            return query, self._result(answer, talk.refused, talk.spent(self._provenance))
        return query, self._fallen_back(talk, failure)

    async def _answer(self, talk: "_Conversation", chat: "Chat") -> Answer:
        """Ask, and after a refusal once more, showing the model what was wrong."""
        from esens.decompose.llm.chat import NoAnswerError

        if len(talk.query) > LONGEST_QUERY:
            raise NoAnswerError(
                f"the query has {len(talk.query):,} characters, and {LONGEST_QUERY:,} are the most"
            )
        try:
            return await self._ask(talk, chat)
        except AnswerError as error:
            talk.refused = chat.redact(str(error))
        try:
            answer = await self._ask(talk, chat)
        except AnswerError as error:
            raise NoAnswerError(
                f"both its answers were refused, the last because {chat.redact(str(error))}"
            ) from None
        self._count(repaired=1)
        return answer

    async def _ask(self, talk: "_Conversation", chat: "Chat") -> Answer:
        first = self._prompt.messages(talk.query)
        messages = self._prompt.repair(talk.query, talk.content, talk.refused) if talk.refused else first
        self._count(calls=1)
        reply = await chat.ask(messages, self._prompt.schema, ends=talk.ends)
        self._count(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        talk.replies.append(reply)
        if reply.is_cut_off:
            raise AnswerError("it was too long and cut off; a short JSON object was asked for")
        return read_answer(reply.content, talk.query, single_trap=self.single_trap)

    def _cached(self, query: str) -> Decomposition | None:
        cached = self._cache.get(self._key(query)) if self._cache else None
        if cached is None:
            return None
        try:
            answer = read_answer(cached.answer, query, single_trap=self.single_trap)
        except AnswerError:  # written by a version that checked less, or changed since; the model is called anew
            return None
        self._count(cached=1)
        return self._result(answer, cached.refused, replace(self._provenance, cached=True))

    def _put_in_cache(self, talk: "_Conversation") -> None:
        from esens.decompose.cache import CachedAnswer

        if self._cache:
            self._cache.put(self._key(talk.query), CachedAnswer(talk.content, talk.refused))

    def _key(self, query: str) -> "AnswerKey":
        from esens.decompose.cache import AnswerKey

        return AnswerKey(self.base_url, self.model, self._prompt.hash, query)

    def _result(self, answer: Answer, refused: str, provenance: Provenance) -> Decomposition:
        doubts = []
        if refused:
            doubts.append((_REPAIRED_CONFIDENCE, f"the model's first answer was refused: {refused}"))
        if not answer.is_confirmed:
            doubts.append((_UNCONFIRMED_CONFIDENCE, "the rules do not see the same exclusion"))
        confidence = min((level for level, _ in doubts), default=1.0)
        reason = "; ".join(why for _, why in doubts)
        return Decomposition(
            answer.target, (), confidence, reason, provenance, exclusions=tuple(map(self._told, answer.exclusions))
        )

    def _told(self, exclusion: Exclusion) -> Exclusion:
        """Return the exclusion with this model as the one that told its relation, where it told one."""
        return exclusion if exclusion.relation == "open" else replace(exclusion, told_by=self.name)

    def _fallen_back(self, talk: "_Conversation", failure: str) -> Decomposition:
        if self._fallback is None:
            raise DecomposerError(f"{self.name} did not answer: {failure}")
        split = check_split(self._fallback(talk.query))
        self._count(fallbacks=1)
        answered = "rules" if self._fallback is rules.decompose else "fallback"
        failure = f"{self.name} did not answer: {failure}; the {answered} did"
        provenance = replace(split.provenance, failure=failure)
        exclusions = split.exclusions
        if self.single_trap and len(exclusions) > 1:
            exclusions = (Exclusion(", ".join(split.traps)),)  # several in one text may have several relations
        return replace(split, traps=(), exclusions=exclusions, provenance=talk.spent(provenance))

    def _count(self, **more: int) -> None:
        # Only work on the chat's own loop comes here, so no two threads count at once.
        self._usage = replace(self._usage, **{name: getattr(self._usage, name) + n for name, n in more.items()})


@dataclass(slots=True)
class _Conversation:
    """What was said about one query so far; ``refused`` is why the first answer was, ``ends`` when it must end."""

    query: str
    ends: float = 0.0
    refused: str = ""
    replies: "list[ChatReply]" = field(default_factory=list)

    @property
    def content(self) -> str:
        return self.replies[-1].content

    def spent(self, provenance: Provenance) -> Provenance:
        return replace(
            provenance,
            input_tokens=sum(reply.input_tokens for reply in self.replies),
            output_tokens=sum(reply.output_tokens for reply in self.replies),
        )


class _QueryBatch:
    """Answers as they come in, each different query once, and then in the order of the queries."""

    def __init__(self, queries: Sequence[str], progress: Progress | None) -> None:
        self._queries = [check_query(query) for query in queries]
        self._times = Counter(self._queries)
        self._progress = progress
        self._done = 0
        self._decompositions: dict[str, Decomposition] = {}

    @property
    def different(self) -> list[str]:
        return list(self._times)

    def add(self, query: str, decomposition: Decomposition) -> None:
        self._decompositions[query] = decomposition
        self._done += self._times[query]
        if self._progress is not None:
            self._progress(self._done, len(self._queries))

    def in_order(self) -> list[Decomposition]:
        return [self._decompositions[query] for query in self._queries]


def _reopening_chat(model: str, server: ServerSettings) -> "Reopenable[Chat]":
    from esens.decompose.llm.chat import Chat
    from esens.openai_client.connection import Reopenable

    return Reopenable(partial(Chat, model, server))


def _open_cache(cache: bool | str | Path) -> "AnswerCache | None":
    from esens.decompose.cache import AnswerCache

    if cache is False:
        return None
    return AnswerCache(None if cache is True else cache)
