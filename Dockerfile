# The image of the service: `npm run image`, or `docker build -t holdfast .`

# Debian 13 with Node.js 24 and npm, of this name or one like it.
ARG BASE=docker.io/library/node:24-trixie-slim

# What libraries are wanted: while that stays as it is, a changed source installs and compiles none of them anew.
FROM ${BASE} AS manifests
# What is copied is listed in .dockerignore.
COPY . /all
RUN mkdir /manifests && cd /all && find . -name package.json -o -name package-lock.json -o -name .npmrc \
  | xargs cp --parents --preserve=timestamps --target-directory=/manifests

# The second stage builds. The slim images lack a compiler; the database driver is compiled where no build of it fits.
FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY --from=manifests /manifests ./
# Native modules compile against the headers of the base: nothing to download.
ENV npm_config_nodedir=/usr/local
# Exactly the libraries of the lock file, for the service and its build; no install script but the database driver's
# runs. Whoever has a registry of their own gives an npmrc, and a bundle of certificates, as secrets: neither gets into
# the image.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=certificates \
  [ ! -e /run/secrets/certificates ] || export NODE_EXTRA_CA_CERTS=/run/secrets/certificates; \
  npm ci --workspace=server --workspace=console && JOBS=max npm rebuild sqlite3 --ignore-scripts=false
COPY . .
RUN node scripts/bundle.mjs
# What runs, in one folder: no sources, tests, types, maps or libraries that only building and testing need. Sequelize
# with its libraries is bundled: it goes too. The packages find each other through the links in node_modules, so they
# stand as they did; a package may have libraries of its own beside it, of another version.
RUN npm prune --omit=dev \
  && mkdir /product \
  && cp -a --parents package.json $(find . -maxdepth 3 -name node_modules -prune) */dist */package.json plugins/*/dist plugins/*/package.json plugins/*/recipes server/bin server/viewers /product \
  && cd /product \
  && rm -rf test node_modules/*/test node_modules/@*/*/test \
    node_modules/node-gyp node_modules/node-addon-api node_modules/@types \
    node_modules/sequelize node_modules/lodash node_modules/moment node_modules/moment-timezone \
  && find . -type f -regextype egrep -regex '.*(\.([acho]|cc|[cm]?ts|map|mk|gypi?|tar\.gz)|/\.tsbuildinfo)' -delete \
  && find . -xtype l -delete

# The last stage runs. It has no compiler, no npm, and nothing of the others but the product.
FROM ${BASE}
# borg makes the backups, ssh reaches other hosts, sqlite3 copies databases that are in use, tini passes signals on and collects what hooks leave behind.
RUN apt-get update \
  && apt-get install -y --no-install-recommends borgbackup openssh-client sqlite3 ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /opt/yarn* /usr/local/include/node /usr/local/lib/node_modules \
  && find /usr/local/bin -xtype l -delete
# A user of its own, with a number that volumes can be given to, and the folders that it writes into.
RUN groupadd --gid 10001 holdfast \
  && useradd --uid 10001 --gid holdfast --create-home holdfast \
  && mkdir /data /backups \
  && chown holdfast:holdfast /data /backups \
  && chmod 700 /data \
  && ln -s /opt/holdfast/server/bin/holdfast.js /usr/local/bin/holdfast
WORKDIR /opt/holdfast
COPY --from=build /product ./
COPY --chmod=755 examples/deploy/as-holdfast.sh /usr/local/bin/as-holdfast
# All interfaces of the container; what is reachable from outside is decided by its published ports.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8081 DATA_DIR=/data
# Buffers of 64 KiB and more, as pipes are read, go back to the system at once: some 40 MB that the C library
# keeps otherwise; with a heap for each thread the holes in them would grow for days.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=262144
USER holdfast
# Database, caches and the generated secret key; and the place for repositories.
VOLUME ["/data", "/backups"]
EXPOSE 8081
# Healthy means that the storage works too. The first start makes the database, which takes a moment.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => answer.json()).then(({ ready }) => process.exit(ready ? 0 : 1), () => process.exit(1))"]
# Started as root, it becomes the user above before anything else.
ENTRYPOINT ["as-holdfast", "tini", "--"]
# No npm in between: SIGTERM reaches the service itself, which lets running work end. The space for young objects would
# grow to 48 MB and stay so; half of it is enough.
CMD ["node", "--max-semi-space-size=8", "server/dist/main.js"]
