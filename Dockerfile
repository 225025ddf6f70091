# Judges a service:   docker build -t animal-store-conformance . && docker run --rm --read-only --tmpfs /tmp -v reports:/reports \
#                       -e BASE_URL -e API_KEY animal-store-conformance
# Serves the reference: docker build --target reference -t animal-store-reference . && docker run --rm -p 8080:8080 -e API_KEY animal-store-reference

FROM node:24-slim AS package
WORKDIR /source
COPY . .
# the package as npm has it, with the dependencies of the lock file; neither the compiler nor the self-tests are in it
RUN npm ci --ignore-scripts \
 && npm pack --pack-destination /tmp \
 && mkdir /suite \
 && tar -xzf /tmp/*.tgz -C /suite --strip-components=1 \
 && cp package-lock.json .npmrc /suite/ \
 && npm ci --omit=dev --ignore-scripts --prefix /suite

FROM node:24-slim AS suite
COPY --from=package /suite /suite
# owned by root, so that the user of the run cannot change it
RUN mkdir /reports && chown node:node /reports
ENV NODE_ENV=production REPORT_DIR=/reports
VOLUME ["/reports"]
# where .env files would lie
WORKDIR /work
USER node
# no shell in between: a signal reaches the run, which then writes its report
ENTRYPOINT ["node", "/suite/dist/bin/animal-store-conformance.js"]

FROM suite AS reference
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/suite/dist/bin/animal-store-conformance.js", "reference", "--health"]
CMD ["reference"]

# the default: the last stage
FROM suite AS judge
# a run has an end, and an exit code
HEALTHCHECK NONE
