# The image measures the machine that it runs on. `make image` builds it, and doc/manual.md says how to use it.
# For a GPU, add --build-arg BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04, and use docker run --gpus all.
ARG BASE=debian:bookworm-20250811-slim@sha256:b1a741487078b369e78119849663d7f1a5341ef2768798f7b7406c4240f86aef
FROM ${BASE}
# `make image` adds version, revision and date.
LABEL org.opencontainers.image.title="tilelab" \
      org.opencontainers.image.description="A reproducible experiment pipeline for dense kernels" \
      org.opencontainers.image.licenses="MIT"

# The GPU is not known yet.
ENV LANG=C.UTF-8 CUDA_ARCH=all-major PATH=/tilelab/build:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /tilelab
# Packages come first, so that a change of the sources does not install the packages again.
COPY tools/missing tools/setup tools/
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends make git >/dev/null \
    && tools/setup report \
    && test -z "$(tools/missing build measure opencl report)" \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home tilelab \
    && mkdir /out && chown tilelab:tilelab /out

# Then what is compiled, so that an experiment file, a query or a text compiles no kernel again. A container may run as
# any user, so that any user may write into build/.
COPY Makefile CITATION.cff ./
COPY mk mk
COPY tools tools
COPY doc doc
COPY report/*.sql report/
COPY src src
COPY kernels kernels
RUN umask 0 && make build

# The whole tree tells the commit. Few files of the runner depend on it.
COPY . .
RUN umask 0 && make build && install tools/docker-entrypoint /usr/local/bin/tilelab-entrypoint

ENV DATA=/out/data/local REPORT=/out/report.pdf
# It lies outside of /tilelab, where the tree of somebody else may be mounted.
ENTRYPOINT ["/usr/local/bin/tilelab-entrypoint"]
CMD ["make", "report"]
