# A server in a container: docs/guides/install.md says how to run it.

FROM rust:1-slim-bookworm AS build
WORKDIR /griot
COPY . .
RUN cargo build --release --locked --package griot-cli --bin griot

FROM debian:bookworm-slim AS root
RUN apt-get update && apt-get install --yes --no-install-recommends mmdebstrap ca-certificates
COPY tools/image/rootfs.sh /rootfs.sh
COPY --from=build /griot/target/release/griot /griot
RUN /rootfs.sh /griot /root-fs

FROM scratch
COPY --from=root /root-fs /
ENV PATH=/usr/local/bin GRIOT_HOME=/var/lib/griot GRIOT_SERVER_LISTEN=0.0.0.0:4747
USER griot
VOLUME /var/lib/griot
EXPOSE 4747
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["griot", "serve", "--check"]
ENTRYPOINT ["griot"]
CMD ["serve"]
