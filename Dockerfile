# Tidemark in a container: connector, node, or any other command of the launcher.
#
#   docker build -t tidemark .
#
# The first stage builds only if needed: with an up-to-date standalone/target/dist in the folder (any
# ./tidemark command creates one) it needs no Maven and no network.

FROM eclipse-temurin:25-jdk AS build
WORKDIR /src
COPY . .
RUN ./tidemark build || { \
        apt-get update && \
        apt-get install --yes --no-install-recommends maven && \
        ./tidemark build; \
    }

FROM eclipse-temurin:25-jre
RUN groupadd --system --gid 10001 tidemark && \
    useradd --system --uid 10001 --gid tidemark --home-dir /var/lib/tidemark --create-home tidemark
COPY --from=build /src/tidemark /opt/tidemark/tidemark
COPY --from=build /src/standalone/target/dist/lib /opt/tidemark/lib
# Options are variables, see tidemark --help; the health check uses the address of TIDEMARK_LISTEN.
# Nothing listens on that address without TLS, a login and rights, unless TIDEMARK_INSECURE=true.
ENV PATH="/opt/tidemark:${PATH}" \
    TIDEMARK_DATA=/var/lib/tidemark \
    TIDEMARK_LISTEN=0.0.0.0:8080
USER tidemark
WORKDIR /var/lib/tidemark
VOLUME /var/lib/tidemark
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["tidemark", "health"]
ENTRYPOINT ["tidemark"]
CMD ["--help"]
