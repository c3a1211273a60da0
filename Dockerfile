# The image measures the machine that it runs on:
#   docker build -t tilelab .
#   mkdir -p out && docker run --rm -v "$PWD/out:/out" tilelab make report
# For a GPU, add --build-arg BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04, and use docker run --gpus all.
ARG BASE=debian:bookworm-slim
FROM ${BASE}

# The GPU is not known yet.
ENV LANG=C.UTF-8 CUDA_ARCH=all-major
WORKDIR /tilelab
# Packages come first, so that a change of the sources does not install the packages again.
COPY tools/missing tools/setup tools/
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends make git >/dev/null \
    && tools/setup report \
    && test -z "$(tools/missing build measure report)" \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home tilelab \
    && mkdir /out && chown tilelab:tilelab /out

COPY . .
# A container may run as any user, so that any user may write into build/.
RUN make build && chmod -R a+rwX build

ENV DATA=/out/data/local REPORT=/out/report.pdf
ENTRYPOINT ["/tilelab/tools/docker-entrypoint"]
CMD ["make", "report"]
