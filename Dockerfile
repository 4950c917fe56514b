# Boomslang in a container, its kernels compiled; docs/docker.md shows how to build and run it.
# Targets: `engine`, and `lichess-bot`, which plays on Lichess with it.

ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS base
# Kernels are compiled for this level of processors, not for the one that builds the image. Both variables are
# part of the kernels' keys, so they must be the same when it is built and when it is used. Without the
# second, Numba would add the features of the processor that builds.
ARG CPU_NAME=x86-64-v3
ARG CPU_FEATURES=""
ENV NUMBA_CPU_NAME=${CPU_NAME} \
    NUMBA_CPU_FEATURES=${CPU_FEATURES} \
    BOOMSLANG_CACHE_DIR=/opt/kernels \
    PATH=/opt/boomslang/bin:${PATH}

FROM base AS build
WORKDIR /source
COPY pyproject.toml boomslang.py README.md LICENSE ./
COPY .ci/hatch_build.py ./.ci/
COPY third_party/cityhash/LICENSE ./third_party/cityhash/
COPY cli ./cli
COPY core ./core
COPY engine ./engine
COPY eval ./eval
COPY perft ./perft
COPY uci ./uci
RUN python -m venv --without-pip /opt/boomslang \
 && pip --python /opt/boomslang/bin/python install --no-cache-dir .
# The cache belongs to root and anyone may read it: no user of the container can change code.
RUN boomslang warmup --all \
 && chmod -R go=rX ${BOOMSLANG_CACHE_DIR}

FROM base AS engine
RUN useradd --create-home --uid 10001 boomslang
COPY --from=build /opt /opt
USER boomslang
WORKDIR /home/boomslang
ENTRYPOINT ["boomslang"]

FROM build AS lichess-bot-build
# Version 2025.5.30.1
ARG LICHESS_BOT=e42254d4aeb678830727f871346c65735656a387
ADD https://github.com/lichess-bot-devs/lichess-bot.git#${LICHESS_BOT} /opt/lichess-bot
RUN python -m venv --without-pip /opt/lichess-bot/venv \
 && pip --python /opt/lichess-bot/venv/bin/python install --no-cache-dir \
      --requirement /opt/lichess-bot/requirements.txt
RUN boomslang gui lichess-bot --engine /opt/boomslang/bin/boomslang --write /opt/lichess-bot/config.yml

FROM engine AS lichess-bot
# The token comes from LICHESS_BOT_TOKEN, which outweighs that in config.yml.
ENV LICHESS_BOT_DOCKER=true
COPY --from=lichess-bot-build /opt/lichess-bot /opt/lichess-bot
WORKDIR /opt/lichess-bot
ENTRYPOINT ["/opt/lichess-bot/venv/bin/python", "lichess-bot.py", "--disable_auto_logging"]
