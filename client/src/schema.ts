/* `npm run generate` writes this file from api/openapi.json. */

export interface paths {
    "/api/archives/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the archives of a repository, newest last
         * @description The list is read from the repository if it may have changed, unless `known_only` is true; `as_of` is the time of that read. If the repository cannot be read, the last known list is returned. With `limit`, `before`, `schedule_id` or `query` one page of the newest is returned. A page may be shorter than `limit`, or empty, before the end.
         *
         *     For every user.
         */
        get: operations["archivesList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download one file of an archive, or several entries in one file
         * @description Streams the whole file; byte ranges are not supported. With `format`, also folders and several entries: repeat `file_path`, or pass a long list to POST /api/download-tickets. A token or a ticket may be passed in the query. 409 if data is damaged in the repository. A browser session must confirm the password first to download from the backup of Holdfast itself.
         *
         *     For every user.
         */
        get: operations["archivesDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/delete-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one archive deletion
         * @description Poll until `status` is `completed`, `failed` or `cancelled`.
         *
         *     For every user.
         */
        get: operations["archivesDeleteJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/delete-jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running archive deletion
         * @description If the backup tool has already begun to remove the archive, it may still be deleted.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["archivesCancelDeleteJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search all archives of a repository by name
         * @description Builds listings that are not cached, unless `cached_only` is true. Reads the list of archives from the repository if it may have changed, unless `known_only` is true.
         *
         *     For every user.
         */
        get: operations["archivesSearchAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/search-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the archives of all repositories by name
         * @description Only in listings that are cached; no tool is started. Copies of the service itself are left out.
         *
         *     For every user.
         */
        get: operations["archivesSearchEverywhere"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show when a path appeared, changed and disappeared
         * @description Examines all archives, oldest first. Builds listings that are not cached.
         *
         *     For every user.
         */
        get: operations["archivesHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}/listing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the progress of building the listing of an archive
         * @description The first browse of an archive builds its listing and responds when it is complete. While you wait, poll this about once a second. It starts nothing and works while the repository is busy.
         *
         *     For every user.
         */
        get: operations["archivesListing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search one archive by name
         * @description Builds the listing if it is not cached.
         *
         *     For every user.
         */
        get: operations["archivesSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what changed between this archive and another one
         * @description Added, removed and changed paths. Builds listings that are not cached.
         *
         *     For every user.
         */
        get: operations["archivesDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one archive, optionally with its first files
         * @description Runs the backup tool. `include_files` also reads the beginning of the listing.
         *
         *     For every user.
         */
        get: operations["archivesInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one directory of an archive
         * @description `limit` 0 returns all entries. Directories come first, then by name, ignoring case. The first browse of an archive may take seconds or minutes: `/api/archives/{archive_id}/listing` shows its progress. Disconnecting cancels it, unless other clients wait for it too.
         *
         *     For every user.
         */
        get: operations["archivesContents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{archive_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an archive
         * @description Queues a job. Compact the repository afterwards to free the space.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["archivesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the audit trail, newest first
         * @description Who did what, and from where: all calls that may change something, logins, reads of secrets, and downloads. Run `holdfast audit verify` on the command line to check the trail for tampering.
         *
         *     For administrators.
         */
        get: operations["auditList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in from a browser
         * @description The access token is valid for 15 minutes: keep it in memory. A cookie that only these routes read gives the next one. After several failed attempts the response is 429.
         *
         *     Needs no token.
         */
        post: operations["authSessionOpen"];
        /**
         * Sign out of a browser session
         * @description Ends the session of the cookie with all its access tokens, and removes the cookie.
         *
         *     Needs the cookie of a session, and comes from one of the service's own pages.
         */
        delete: operations["authSessionEnd"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the next access token of a browser session
         * @description Also replaces the cookie. A request with a cookie that was replaced earlier ends the session, because somebody has a copy; within 30 seconds, or if the answer was lost, it is answered again.
         *
         *     Needs the cookie of a session, and comes from one of the service's own pages.
         */
        post: operations["authSessionRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your password, for what cannot be undone
         * @description Opens ten minutes for this browser session. Only sessions of browsers are asked, with 403 and the code `confirmation_required`. Wrong passwords count like failed logins.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["authSessionConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token for a username and a password
         * @description Accepts a form, or JSON with the same fields. After several failed attempts the response is 429.
         *
         *     Needs no token.
         */
        post: operations["authLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the access token of this request
         * @description Every instance rejects the token from then on.
         *
         *     For every user. Also while the password must be changed first. Not with a token that may only read.
         */
        post: operations["authLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the user of this request
         * @description Returns the name, the permissions, and whether the password must be changed.
         *
         *     For every user. Also while the password must be changed first.
         */
        get: operations["authMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the access token of a login for a new one and revoke the old one
         * @description Only for tokens of a login. The lifetime of an API token is fixed when it is created.
         *
         *     For every user. Also while the password must be changed first. Not with a token that may only read.
         */
        post: operations["authRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password and revoke all your other tokens
         * @description The token of this request stays valid.
         *
         *     For every user. Also while the password must be changed first. Not with a token that may only read.
         */
        post: operations["authChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users
         * @description With their permissions and the time of their last login.
         *
         *     For administrators.
         */
        get: operations["authListUsers"];
        put?: never;
        /**
         * Create a user
         * @description The name must be unused. Without `is_admin` the user cannot change shared settings.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["authCreateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one user
         * @description Send its `ETag` with a later change to avoid overwriting a concurrent one.
         *
         *     For administrators.
         */
        get: operations["authGetUser"];
        /**
         * Change the e-mail address or permissions of a user, or deactivate it
         * @description Absent fields are not changed. The last active administrator cannot lose that role.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["authUpdateUser"];
        post?: never;
        /**
         * Delete a user and all tokens of that user
         * @description You cannot delete your own account. Jobs that the user started continue.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["authDeleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/users/{id}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password that the user must change at the next login
         * @description All tokens of the user are revoked.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["authResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own API tokens
         * @description Without the tokens themselves: each is shown only once, when it is created.
         *
         *     For every user.
         */
        get: operations["authListTokens"];
        put?: never;
        /**
         * Create an API token; only this response contains the `access_token`
         * @description For scripts and other programs. It has the permissions of its user, or only read access with `read_only`.
         *
         *     For every user. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["authCreateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your own API tokens
         * @description It is rejected from then on.
         *
         *     For every user. Not with a token that may only read.
         */
        delete: operations["authDeleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a backup of a repository
         * @description Queues a job. If the repository is busy, `message` says what the job is waiting for.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["backupsStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backup jobs, newest first
         * @description The last `limit` jobs of all repositories.
         *
         *     For every user.
         */
        get: operations["backupsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/status/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one backup job with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["backupsStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/cancel/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running backup job
         * @description A running job ends without an archive. The next backup reuses the data that was already stored.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["backupsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/logs/{job_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of a job log, starting at a line number
         * @description To follow a running job, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["backupsReadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backup/logs/{job_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a job log as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["backupsDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cache/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which cache is in use and its statistics
         * @description Checks an external cache first. Hits and misses are those of this process.
         *
         *     For every user.
         */
        get: operations["cacheStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cache/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear the whole cache
         * @description Archives are not affected: the next browse builds the listing again.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["cacheClear"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cache/clear-repository": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear the cached listings of one repository
         * @description For a repository that another program has changed.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["cacheClearRepository"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the cache settings
         * @description The current values, and which of them were set here instead of in the environment.
         *
         *     For administrators.
         */
        get: operations["cacheSettings"];
        /**
         * Change the cache settings, immediately and permanently
         * @description Absent fields are not changed; null restores the value from the environment.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["cacheUpdateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events, as server-sent events
         * @description The stream stays open while the client is connected. With `Last-Event-ID`, or `last_event_id` in the query, it continues after that event without gaps, on any instance; otherwise it starts with the next event. An event `reset` means that older events were removed, or that the id is unknown: reload any state that you keep. With `progress=1`, also `job_progress` of running jobs, without an id.
         *
         *     For every user.
         */
        get: operations["eventsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a single-use download link that is valid for one minute
         * @description For browsers: the link contains no access token. It expires when it is used, or with the access token of this request.
         *
         *     For every user.
         */
        post: operations["downloadsCreateTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/drill-schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show when restores of a repository are drilled, and what is restored
         * @description Also when restores were last proved. The cron expression is null if no drills are scheduled.
         *
         *     For every user.
         */
        get: operations["drillsGetSchedule"];
        /**
         * Set when restores of a repository are drilled, and what is restored
         * @description Absent fields are not changed. An empty cron expression disables the drills. A browser session must confirm the password first to change when enabled drills run, or to switch them off.
         *
         *     For administrators. Not with a token that may only read.
         */
        put: operations["drillsPutSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/drill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a sample of the newest archive into a scratch folder, and compare it
         * @description Queues a job. Nothing is changed but a folder inside the data folder, which is removed again. What is restored follows the drill schedule of the repository, also if that is off.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["drillsStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through drills that have ended, newest first
         * @description For the next page, pass `next_before` as `before`, until it is null.
         *
         *     For every user.
         */
        get: operations["drillsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drills/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the evidence of drills, with a hash that is written into the audit trail
         * @description JSON, or one page to print. The last line has the SHA-256 of all lines before it; so has the note of the entry of this call in the audit trail. At most 200000 restored files: choose a shorter time otherwise.
         *
         *     For every user.
         */
        get: operations["drillsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drills/{drill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the evidence of one drill
         * @description What was restored, what it was compared with, and the verdict on each path.
         *
         *     For every user.
         */
        get: operations["drillsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all settings without secrets
         * @description One document for POST /api/settings/import. Passphrases, key files, service URLs and secret parameters are left out; texts of scripts are in it. Users, archives and jobs are not.
         *
         *     For administrators.
         */
        get: operations["exchangeExportSettings"];
        put?: never;
        /**
         * Export all settings with sealed secrets
         * @description The secrets are encrypted with the passphrase (scrypt, AES-256-GCM).
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["exchangeExportSealedSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a document of settings, or plan it
         * @description In short transactions: after a crash, import the same document again. Objects that are here already are matched by the ids of the backup tool and by names, and changed where they differ; nothing is deleted. What can't be imported is left out by name. Repositories are not opened: their identity is compared the first time. Importing again changes nothing. A browser session must confirm the password first, except for a `dry_run`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["exchangeImportSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/borgmatic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import configuration files of borgmatic, or plan it
         * @description For borgmatic 1.7 to 2.1. Says line by line what became of each option. Each file is imported in one transaction. Nothing is read from this machine: texts that a file refers to are listed in `needs`. 400 while one is missing, except for a `dry_run`. Importing again changes nothing. A browser session must confirm the password first, except for a `dry_run`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["exchangeImportBorgmatic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export/borgmatic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export repositories as configuration files of borgmatic 2
         * @description One file for each repository. Places of secrets are named in it instead of the secrets.
         *
         *     For administrators.
         */
        get: operations["exchangeExportBorgmatic"];
        put?: never;
        /**
         * Export several repositories for borgmatic, with secrets if asked
         * @description As GET does. With `secrets`, the files contain passphrases and service URLs: keep them private.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["exchangeExportBorgmaticWith"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through incidents, newest first
         * @description What went wrong, for how long, and what is still wrong. One incident for each cause and object.
         *
         *     For every user.
         */
        get: operations["incidentsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/incidents/{incident_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one incident
         * @description With the messages that were sent, and the jobs since.
         *
         *     For every user.
         */
        get: operations["incidentsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/incidents/{incident_id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send no reminder of an incident before a time
         * @description If it is still open then, those who were told of it are told once more. They are always told when it is over.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["incidentsSnooze"];
        /**
         * End the snooze of an incident
         * @description Nothing is sent.
         *
         *     For administrators. Not with a token that may only read.
         */
        delete: operations["incidentsWake"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how a repository grew: its archives, and samples of its size
         * @description A sample is stored at the end of each backup, prune and compact. All samples of 90 days are kept, then the last one of each day for five years. Does not ask the backup tool.
         *
         *     For every user.
         */
        get: operations["historyRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/history/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what became of each day: one state a day and repository
         * @description From the jobs, the ledgers of the schedules and the archives.
         *
         *     For every user.
         */
        get: operations["historyDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs of every kind, newest first
         * @description For the next page, pass `next_before` as `before`, until it is null.
         *
         *     For every user.
         */
        get: operations["jobsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one job of any kind with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["jobsJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running job of any kind
         * @description Waits some seconds for the end of a running job. 403 unless you may cancel jobs of this kind: restores, prunes, compacts, archive deletions, repairs and drills need an administrator.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["jobsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of the log of a job, starting at a line number
         * @description To follow a running job, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["jobsLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/log/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the log of a job as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["jobsDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/check-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one check job with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["maintenanceCheckJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/check-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the check jobs of a repository, newest first
         * @description The last `limit` jobs.
         *
         *     For every user.
         */
        get: operations["maintenanceCheckJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/check-jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running check job
         * @description The backup tool is asked to stop; the repository stays intact.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["maintenanceCheckCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/check-jobs/{job_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of the log of a check job, from a line number on
         * @description To follow a running job, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["maintenanceCheckLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/check-jobs/{job_id}/logs/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the log of a check job as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["maintenanceCheckDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/compact-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one compact job with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["maintenanceCompactJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/compact-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the compact jobs of a repository, newest first
         * @description The last `limit` jobs.
         *
         *     For every user.
         */
        get: operations["maintenanceCompactJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/compact-jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running compact job
         * @description The backup tool is asked to stop; the repository stays intact.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["maintenanceCompactCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/compact-jobs/{job_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of the log of a compact job, from a line number on
         * @description To follow a running job, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["maintenanceCompactLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/compact-jobs/{job_id}/logs/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the log of a compact job as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["maintenanceCompactDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/prune-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one prune job with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["maintenancePruneJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/prune-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prune jobs of a repository, newest first
         * @description The last `limit` jobs.
         *
         *     For every user.
         */
        get: operations["maintenancePruneJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/prune-jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running prune job
         * @description The backup tool is asked to stop; the repository stays intact.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["maintenancePruneCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/prune-jobs/{job_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of the log of a prune job, from a line number on
         * @description To follow a running job, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["maintenancePruneLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/prune-jobs/{job_id}/logs/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the log of a prune job as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["maintenancePruneDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/running-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the running check, compact and prune jobs of a repository
         * @description Null for each kind that is not running.
         *
         *     For every user.
         */
        get: operations["maintenanceRunningJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a repository for damage
         * @description Queues a job. If it finds damage, it ends as `failed` and its log lists the problems. Without a body: a full check.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["maintenanceStartCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repair a damaged repository
         * @description May lose data: copy the repository first. The job is listed with the check jobs. Check again afterwards. It changes no archive while one is not signed (see `sign-archives`), and deletes none that is not in `delete_archives`.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["maintenanceStartRepair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/sign-archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign archives that borg before 1.2.5 made or renamed
         * @description For a repository with `unsigned_archives` or the `open_error_kind` `archive_unsigned`. The data of such archives is intact, but borg from 1.2.5 on refuses them. Signing accepts them as they are: do it only if nobody else could write to the repository. They get other ids. The job is listed with the check jobs. If it is interrupted, a second one continues from there.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["maintenanceSignArchives"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Free the space of removed archives
         * @description Queues a job. Pruning and deleting archives only mark space as free.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["maintenanceStartCompact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/prune": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove archives that no keep rule matches, or list them
         * @description Waits up to 25 seconds for the job. After that, the job continues: poll its status. The newest good archive is never removed. Compact the repository afterwards to free the space. A browser session must confirm the password first, except for a `dry_run`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["maintenanceStartPrune"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/break-lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the backup tool's lock from a repository
         * @description For a stale lock. Make sure that no other machine is writing to the repository. Rejected while a job or a request of this service uses the repository.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["maintenanceBreakLock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/check-schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show when a repository is checked automatically
         * @description The cron expression is null if no checks are scheduled.
         *
         *     For every user.
         */
        get: operations["maintenanceGetCheckSchedule"];
        /**
         * Set when a repository is checked automatically
         * @description Absent fields are not changed. An empty cron expression disables the checks. A browser session must confirm the password first to change when enabled checks run, or to switch them off.
         *
         *     For administrators. Not with a token that may only read.
         */
        put: operations["maintenancePutCheckSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for existing repositories on this machine or on a host
         * @description Starts a job. It follows no symlinks, does not look into repositories, and changes nothing. The job can be followed and cancelled like any other.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["movingInDiscover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/discover/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a discovery has found so far
         * @description For the next page, pass `next_after` as `after`, until it is null.
         *
         *     For administrators.
         */
        get: operations["movingInDiscovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/discover/{job_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open repositories that a discovery found, to see what is in them
         * @description Reads only: no lock is taken, and nothing is written where they lie. The secrets are not stored. Repositories that do not open are reported one by one.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["movingInOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/import-many": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register many existing repositories, each with its own result
         * @description In observe mode unless told otherwise. What is registered already stays unchanged, so the call can be repeated: after an interruption it does what is left.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["movingInImportMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest settings from the archives that are there
         * @description Sources, exclude patterns and compression from the command lines of the newest archives, the rhythm from their times, the retention from what is left. Needs no access to the sources.
         *
         *     For administrators.
         */
        get: operations["movingInSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back up a repository from now on that something else backed up until now
         * @description Sets sources and full mode, creates the schedule and decides about the old archives, all or nothing. 409 unless `old_scheduler_off` is true. A browser session must confirm the password first to adopt archives.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["movingInTakeOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification settings
         * @description Only administrators see service URLs unmasked.
         *
         *     For every user.
         */
        get: operations["notificationsList"];
        put?: never;
        /**
         * Create a notification setting
         * @description Nothing is sent. Use POST /api/notifications/test to test a service URL.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["notificationsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to a service URL without saving it
         * @description `success` is false if it could not be sent; `message` then contains the reply of the receiver.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["notificationsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the services that messages can be sent to, with the fields of their URLs
         * @description A form asks for the fields and builds the service URL by the template.
         *
         *     For every user.
         */
        get: operations["notificationsServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{setting_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one notification setting
         * @description Only administrators see the service URL unmasked.
         *
         *     For every user.
         */
        get: operations["notificationsGet"];
        /**
         * Change a notification setting
         * @description Absent fields are not changed.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["notificationsUpdate"];
        post?: never;
        /**
         * Remove a notification setting and its messages
         * @description Messages that have not been sent yet are discarded.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["notificationsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{setting_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the messages of a setting, newest first
         * @description With the status of each message, and the last error of undelivered ones.
         *
         *     For every user.
         */
        get: operations["notificationsDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{setting_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again, or send a waiting one immediately
         * @description The message keeps its id, so a receiver that discards duplicates ignores it if it was already delivered.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["notificationsResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show at a glance whether everything is protected, and what needs attention
         * @description All that a first page shows, in one answer. Reads only what the service knows: neither the backup tool nor another host is asked.
         *
         *     For every user.
         */
        get: operations["overviewGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/own-backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the backup of the service itself
         * @description Where copies of the database, the secret key and the data of plugins are saved, when the last one was made and when the next one is due. `holdfast recover` takes them up.
         *
         *     For administrators.
         */
        get: operations["ownBackupGet"];
        /**
         * Switch the backup of the service itself on or off
         * @description The first time, this creates an encrypted repository with a generated passphrase, and a daily schedule that keeps 7 daily, 4 weekly and 6 monthly archives. Both can be changed like any other. Write down the passphrase, for example with the recovery sheet: without it, the backup is worth nothing once this machine is gone. Repeating the call changes nothing.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["ownBackupPut"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/filesystem/browse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder of this machine
         * @description As the user of the service sees it. Files are not read, except to recognise repositories.
         *
         *     For administrators.
         */
        get: operations["placesBrowse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at sources and a place before backing up
         * @description Counts what a backup would read, and finds what it could not. Takes at most 20 seconds; after that `complete` is false. Reads no contents and changes nothing.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["placesPreflight"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recovery-sheet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the recovery sheet
         * @description Per repository its place, encryption, passphrase, exported key, host key, and the commands of plain borg that bring its files back. Passphrases and keys are masked unless `secrets` is true; a read-only token always gets them masked. With secrets, each repository is asked for its key, for 20 seconds at most; one that does not answer is on the sheet with the reason.
         *
         *     For administrators. A browser session must confirm the password first.
         */
        get: operations["recoverySheet"];
        put?: never;
        /**
         * Download the recovery sheet, sealed with a passphrase
         * @description The same file. With `seal_passphrase` it is encrypted in the format of age: `age -d` asks for the passphrase.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["recoveryMakeSheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recovery-sheet/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note that a user saved a sheet for one repository
         * @description As the wizard of the web console makes one. It counts until its place or passphrase changes.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["recoveryNoteSaved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recovery-sheet/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether the last recovery sheet still says all that is needed
         * @description Compares it with the repositories, their passphrases, keys and places, and the pinned host keys. Only sheets with secrets count.
         *
         *     For administrators.
         */
        get: operations["recoverySheetState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the repositories
         * @description All repositories, with what is known about their archives.
         *
         *     For every user.
         */
        get: operations["repositoriesList"];
        put?: never;
        /**
         * Create a new repository and register it
         * @description Missing parent folders are created. 409 if there is a repository already: register it with POST /api/repositories/import. A browser session must confirm the password first with hooks, `custom_flags` or `remote_path`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["repositoriesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an existing repository
         * @description It is opened first, so a wrong passphrase or a missing key file is reported immediately. A browser session must confirm the password first with hooks, `custom_flags` or `remote_path`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["repositoriesImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one repository
         * @description Its settings, and what is known about its archives. The passphrase is never shown.
         *
         *     For every user.
         */
        get: operations["repositoriesGet"];
        /**
         * Change the settings of a repository
         * @description Encryption and passphrase cannot be changed here. A new path must contain the same repository.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["repositoriesUpdate"];
        post?: never;
        /**
         * Unregister a repository; its data is not deleted
         * @description Its past jobs are preserved. Rejected while one of its jobs is pending or running. To undo this, import it again: it takes up its former id, jobs, figures and place in schedules.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["repositoriesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/passphrase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store a different passphrase for a repository
         * @description For a passphrase that was changed outside the service. It is tested first, and stored only if it opens the repository.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["repositoriesSetPassphrase"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test whether a repository can be opened
         * @description Works while jobs run. A repository that cannot be opened is not an HTTP error: see `success` and `reason`.
         *
         *     For every user.
         */
        post: operations["repositoriesTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/accept-identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a different repository at the path of a registered one
         * @description Until you accept a changed id or encryption, the repository is not read, written or deleted from. Afterwards its archives replace the known ones. Rejected if nothing differs, or while a job is pending or running.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["repositoriesAcceptIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/keyfile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the exported key
         * @description For every encryption mode with a key. Store it in a safe place.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        get: operations["repositoriesDownloadKeyFile"];
        put?: never;
        /**
         * Upload the key file of a repository with keyfile encryption
         * @description It is tested immediately. A key that does not open the repository is rejected.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["repositoriesUploadKeyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a restore would do, without writing anything
         * @description The plan is valid for one hour, for the user who requested it, for one start, and only while the archive and the target do not change.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["restorePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an archive, or paths of it
         * @description Queues a job, with or without a plan. It extracts into a hidden folder next to the target and moves the files into place at the end. A failed or cancelled restore leaves the target unchanged. A browser session must confirm the password first to overwrite files, or to restore the backup of Holdfast itself.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["restoreStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List restores, newest first
         * @description The last `limit` restores of all repositories.
         *
         *     For every user.
         */
        get: operations["restoreJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/status/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one restore with its progress
         * @description Poll until `completed_at` is set; `status` is then the result.
         *
         *     For every user.
         */
        get: operations["restoreStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/cancel/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending or running restore
         * @description The target is left unchanged.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["restoreCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/manifest/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the result for each path of a restore
         * @description The first 200000 paths. Empty until the restore ends, and if the target was left unchanged.
         *
         *     For every user.
         */
        get: operations["restoreManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/logs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of the log of a restore, starting at a line number
         * @description To follow a running restore, poll with `offset` set to the number of lines read so far.
         *
         *     For every user.
         */
        get: operations["restoreLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/logs/{job_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the log of a restore as a text file
         * @description The whole log. The token may be passed in the query.
         *
         *     For every user.
         */
        get: operations["restoreDownloadLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/archives/{repository_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the archives of a repository that can be restored, newest last
         * @description Like GET /api/archives/list, with the id of the repository.
         *
         *     For every user.
         */
        get: operations["restoreArchives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/contents/{repository_id}/{archive_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one directory of an archive, to choose paths
         * @description Like GET /api/archives/{archive_id}/contents, with the id of the repository.
         *
         *     For every user.
         */
        get: operations["restoreContents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules
         * @description All schedules, with their last and next runs.
         *
         *     For every user.
         */
        get: operations["schedulesList"];
        put?: never;
        /**
         * Create a schedule
         * @description It is active immediately unless `enabled` is false. A browser session must confirm the password first with scripts.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["schedulesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/cron-presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List common cron expressions
         * @description For forms. Each has a name and a description.
         *
         *     For every user.
         */
        get: operations["schedulesCronPresets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/validate-cron": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate and explain a cron expression
         * @description `success` is false if the expression is invalid; `error` then says why.
         *
         *     For every user.
         */
        post: operations["schedulesValidateCron"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the next runs of a plan, and what its retention would keep and remove now
         * @description Nothing is changed or started: the archives are those of the last list (`as_of`). Each has the rule that keeps it, or `removed`, as a prune would decide now.
         *
         *     For every user.
         */
        post: operations["schedulesPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/upcoming-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the planned runs of the next hours, soonest first
         * @description Every run of every enabled schedule, at most 1000.
         *
         *     For every user.
         */
        get: operations["schedulesUpcomingJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one schedule with its next five runs
         * @description The run times are in UTC.
         *
         *     For every user.
         */
        get: operations["schedulesGet"];
        /**
         * Change a schedule
         * @description Absent fields are not changed. A browser session must confirm the password first if fewer archives would be kept (a lower count, or `run_prune_after` switched on), to run an enabled schedule at other times or not at all, to leave out a repository, and to change scripts.
         *
         *     For administrators. Not with a token that may only read.
         */
        put: operations["schedulesUpdate"];
        post?: never;
        /**
         * Remove a schedule and its run history; its jobs and archives are preserved
         * @description A running backup continues.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["schedulesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable a schedule
         * @description A running backup continues. A browser session must confirm the password first to switch it off.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["schedulesToggle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/run-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule once, immediately
         * @description Queues one backup job for each repository. `next_run` does not change.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["schedulesRunNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put archives that something else made under the retention of a schedule
         * @description For archives of another tool, a lost installation or a backup by hand. Needs `archives` or `pattern`. The archives themselves do not change. 409 if one belongs to another schedule. A browser session must confirm the password first, except for a `dry_run`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["schedulesAdopt"];
        /**
         * Take adopted archives out of the retention of a schedule again
         * @description Without `archives` and `pattern`: all that were adopted in this repository. 409 while a prune of the schedule runs there.
         *
         *     For administrators. Not with a token that may only read.
         */
        delete: operations["schedulesRelease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/resume-retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a schedule remove old archives again
         * @description Retention is paused after a backup whose sources were missing or empty, or that lost most of its data. If the last backup has far less data than before, this accepts its size.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["schedulesResumeRetention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a schedule; the copy is disabled
         * @description The copy has the same settings and a new name. Adjust it before you enable it.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["schedulesDuplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule/{job_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the run history of a schedule, newest first
         * @description The outcome of each planned run, including those that did not take place, and why.
         *
         *     For every user.
         */
        get: operations["schedulesRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scripts, newest first
         * @description Without their content. Default values of parameters are shown as `***` unless you are an administrator.
         *
         *     For every user.
         */
        get: operations["scriptsList"];
        put?: never;
        /**
         * Add a script to the library
         * @description It runs nowhere until it is attached to a repository or named by a schedule.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["scriptsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scripts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a text as a script once, for at most 30 seconds
         * @description Runs on this machine, as the user that runs the service. The script is not saved.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["scriptsTestText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scripts/cleanup-orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove attachments and execution records whose repository or script no longer exists
         * @description They remain if a removal was interrupted.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["scriptsCleanUpOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scripts/{script_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a script with its content, where it is used, and its last runs
         * @description Only administrators see the content and the default values of parameters; others see `***`. Values of password parameters are always shown as `***`.
         *
         *     For every user.
         */
        get: operations["scriptsGet"];
        /**
         * Change a script
         * @description Absent fields are not changed. Running backups keep the version that they started with.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["scriptsUpdate"];
        post?: never;
        /**
         * Remove an unused script
         * @description 409 if the script is in use; the error says where. Built-in templates cannot be removed.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["scriptsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scripts/{script_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a script once and return its output
         * @description Runs on this machine, as the user that runs the service. It is not recorded as an execution.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["scriptsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/scripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scripts of a repository in execution order
         * @description Separate lists for before and after backups, each sorted by `execution_order`.
         *
         *     For every user.
         */
        get: operations["scriptsListAttachments"];
        put?: never;
        /**
         * Attach a script to a repository
         * @description It then runs instead of the script that is stored in the repository settings for that hook.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["scriptsAttach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repositories/{repo_id}/scripts/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one script of a repository
         * @description With its run conditions and parameters. Secret values are masked.
         *
         *     For every user.
         */
        get: operations["scriptsGetAttachment"];
        /**
         * Change how an attached script runs
         * @description Absent fields are not changed.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["scriptsUpdateAttachment"];
        post?: never;
        /**
         * Detach a script from a repository
         * @description The script stays in the library.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["scriptsDetach"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/source-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the source sets
         * @description In the order of their creation, with the repositories that use each.
         *
         *     For every user.
         */
        get: operations["sourceSetsList"];
        put?: never;
        /**
         * Create a source set
         * @description It is used as soon as a repository names it in `source_set_id`.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["sourceSetsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/source-sets/{source_set_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one source set
         * @description With the repositories that use it.
         *
         *     For every user.
         */
        get: operations["sourceSetsGet"];
        /**
         * Change a source set and all repositories that use it
         * @description Absent fields are not changed. Running backups keep the sources that they started with.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["sourceSetsUpdate"];
        post?: never;
        /**
         * Delete an unused source set
         * @description 409 while repositories use it; the error names them.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["sourceSetsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the SSH keys
         * @description There is at most one, the system key. The private key is never shown.
         *
         *     For every user.
         */
        get: operations["sshKeysList"];
        put?: never;
        /**
         * Import a private key as the system key
         * @description Rejected if there is already a system key.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["sshKeysImportText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/system-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the system key
         * @description `ssh_key` is null if there is none.
         *
         *     For every user.
         */
        get: operations["sshKeysSystemKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate the system key
         * @description Rejected if there is already a system key. The private key stays on this machine.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["sshKeysGenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a private key file as the system key
         * @description The service reads the file on its own machine. Rejected if there is already a system key.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["sshKeysImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/quick-setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate the system key, copy it to a host, and connect
         * @description If a step fails, neither the key nor the connection is stored.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["sshKeysQuickSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the SSH connections
         * @description With their last known status.
         *
         *     For every user.
         */
        get: operations["sshKeysListConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one connection
         * @description With its status, its pinned host key and its storage usage, if known.
         *
         *     For every user.
         */
        get: operations["sshKeysGetConnection"];
        /**
         * Change a connection
         * @description The pinned host key is not changed. Repositories on the connection use the new address.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["sshKeysUpdateConnection"];
        post?: never;
        /**
         * Remove a connection; repositories and their data are preserved
         * @description Repositories on the host can no longer be reached through it. Rejected while a job needs it, and while repositories use it unless `confirm` names it.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["sshKeysDeleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a connection
         * @description Signs in on the host and tries what a backup would use. `success` is false if that fails; `error` then says why.
         *
         *     For every user.
         */
        post: operations["sshKeysTestConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}/refresh-storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query the storage usage of the host
         * @description `storage` is null if the host does not report it.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["sshKeysRefreshStorage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}/redeploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy the system key to the host of a connection again
         * @description For an account that no longer has the key. The password is used once and never stored.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["sshKeysRedeploy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}/accept-host-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the changed host key of a connection
         * @description The fingerprint must match the key that the host presented last.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        post: operations["sshKeysAcceptHostKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/connections/{connection_id}/browse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder on the host of a connection
         * @description With the permissions of its account, or of root if the connection has `sudo`.
         *
         *     For administrators.
         */
        get: operations["sshKeysBrowse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a key
         * @description With the connections that use it.
         *
         *     For every user.
         */
        get: operations["sshKeysGet"];
        /**
         * Rename, describe, enable or disable a key
         * @description Absent fields are not changed.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        put: operations["sshKeysUpdate"];
        post?: never;
        /**
         * Delete the system key; connections remain without a key
         * @description Its files are removed from this machine. Hosts keep the public key. Rejected while a job needs it.
         *
         *     For administrators. Not with a token that may only read. A browser session must confirm the password first.
         */
        delete: operations["sshKeysDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/{key_id}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy the key to a host, and connect
         * @description If the host rejects the login, `success` is false; the connection is stored with its status. The settings of an existing connection change for administrators only.
         *
         *     For every user. Not with a token that may only read.
         */
        post: operations["sshKeysDeploy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/{key_id}/test-connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect to a host that already accepts the key
         * @description The connection is stored with its status even if the test fails.
         *
         *     For administrators. Not with a token that may only read.
         */
        post: operations["sshKeysTestNewConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the name and version of the service
         * @description For a quick manual check.
         *
         *     Needs no token.
         */
        get: operations["systemRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the versions of the API, the backup tool and this release
         * @description `app_version` is the version of this API: see its compatibility rules.
         *
         *     Needs no token.
         */
        get: operations["systemInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service is running
         * @description For load balancers and supervisors. It responds as soon as the service accepts requests, without waiting for storage or the backup tool.
         *
         *     Needs no token.
         */
        get: operations["systemHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether this instance should receive requests
         * @description For load balancers: 503 while the service starts or stops, and while its storage does not respond. An instance that is not ready does not need a restart; use `/health` to check the process.
         *
         *     Needs no token.
         */
        get: operations["systemReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/protection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether everything is protected
         * @description For the monitors of others: 200 if no repository is late, damaged, closed, or unknown although a backup was due, otherwise 503. A token is optional; with one, the answer names the repositories. The answer may be five seconds old.
         *
         *     Needs no token.
         */
        get: operations["systemProtectionHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics in the Prometheus text format
         * @description If METRICS_TOKEN is set, it is required as a bearer token.
         *
         *     Needs no token.
         */
        get: operations["systemMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/protection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether each repository has a recent enough archive, and why
         * @description Based on existing, complete archives, not on jobs. Lists of archives that are older than an hour are read again first, unless `known_only` is true.
         *
         *     For every user.
         */
        get: operations["systemProtection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the installed plugins with their versions, capabilities and health
         * @description Both built-in and added plugins.
         *
         *     For administrators.
         */
        get: operations["systemPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this API as an OpenAPI document
         * @description For generating clients.
         *
         *     Needs no token.
         */
        get: operations["systemOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the interactive documentation
         * @description An HTML page from which you can send requests.
         *
         *     Needs no token.
         */
        get: operations["systemDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the reference documentation
         * @description A read-only HTML page.
         *
         *     Needs no token.
         */
        get: operations["systemRedoc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a script, style sheet or image of the documentation pages
         * @description Only for the documentation pages.
         *
         *     Needs no token.
         */
        get: operations["systemDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AdHocTest: {
            script: string;
        };
        AdoptAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            dry_run: boolean;
            /** @description The adopted archives, newest first, each with the rule that keeps it from then on, or `removed`: the next prune of the schedule removes it. */
            archives: {
                name: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                start: string;
                /**
                 * @description `removed`, or the rule that keeps it: `daily #3`, `within #1`, `newest good archive`, `newest archive with /srv/a` (the newest that could read it), `in the future`.
                 * @example weekly #2
                 */
                rule: string;
                /**
                 * @description The id that the backup tool gave it.
                 * @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c
                 */
                id: string;
            }[];
            /** @description How many others were named that belong to the schedule already. */
            already_count: number;
        };
        /** @enum {string} */
        Allowed: "commands" | "borg_serve" | "nothing";
        ApiTokenView: {
            id: number;
            name: string;
            read_only: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Null: valid until it is deleted.
             * @example 2026-03-01T02:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Accurate to one minute.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_used_at: string | null;
        };
        ArchiveComparison: {
            /** @enum {boolean} */
            success: true;
            archive: string;
            with: string;
            added: number;
            removed: number;
            changed: number;
            items: {
                path: string;
                /** @enum {boolean} */
                name_escaped?: true;
                /** @enum {string} */
                change: "added" | "removed" | "changed";
                /** @enum {string} */
                type: "directory" | "file" | "symlink" | "other";
                before: {
                    /** @enum {string} */
                    type: "directory" | "file" | "symlink" | "other";
                    size: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    mtime: string | null;
                } | null;
                after: {
                    /** @enum {string} */
                    type: "directory" | "file" | "symlink" | "other";
                    size: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    mtime: string | null;
                } | null;
            }[];
            /** @description There are more results: request them with a larger `offset`. */
            truncated: boolean;
        };
        ArchiveContents: {
            /** @enum {boolean} */
            success: true;
            items: components["schemas"]["ContentItem"][];
            total: number;
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
        };
        ArchiveFileView: {
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
            type: string;
            mode: string;
            user: string;
            group: string;
            size: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            mtime: string;
            healthy: boolean;
        };
        ArchiveInfo: {
            name: string;
            id: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            end: string | null;
            duration: number;
            stats: {
                original_size: number;
                compressed_size: number;
                deduplicated_size: number;
                nfiles: number;
            };
            command_line: string[];
            hostname: string;
            username: string;
            chunker_params: (string | number)[];
            limits: {
                max_archive_size: number | null;
            };
            comment: string;
            repository: {
                /** @example 5a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e90 */
                id: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                last_modified: string | null;
                location: string;
            };
            encryption: {
                mode: string;
            };
            file_count: number;
            /** @description The last full check or repair found that files in this archive lost content. It does not count as protection. */
            damaged: boolean;
            files?: components["schemas"]["ArchiveFileView"][];
        };
        ArchiveList: {
            /** @enum {boolean} */
            success: true;
            archives: components["schemas"]["ArchiveView"][];
            repository: {
                id: number;
                name: string;
                path: string;
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string | null;
            /**
             * @description With `limit`: pass it as `before` to get older archives. Null at the end.
             * @example 1772330400000-42
             */
            next_before?: string | null;
        };
        ArchiveSearch: {
            /** @enum {boolean} */
            success: true;
            items: components["schemas"]["ContentItem"][];
            /** @description There are more results: request them with a larger `offset`. Or the search timed out: use a simpler query. */
            truncated: boolean;
        };
        ArchiveView: {
            /** @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c */
            id: string;
            name: string;
            archive: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            time: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            end: string | null;
            hostname: string;
            username: string;
            comment: string;
            original_size: number | null;
            compressed_size: number | null;
            /** @description What only this archive held: when it was made, or when its sizes were read later. */
            deduplicated_size: number | null;
            /** @description What it added to the repository. Null unless this service made the archive. */
            added_size: number | null;
            nfiles: number | null;
            /** @description The last full check or repair found that files in this archive lost content. It does not count as protection. */
            damaged: boolean;
            /** @description It is known to lack a valid signature: borg from 1.2.5 on refuses it. See `sign-archives`. */
            unsigned: boolean;
            /**
             * @description `hand`: a backup that a user started. `elsewhere`: not a backup of this service.
             * @enum {string}
             */
            made_by: "schedule" | "hand" | "elsewhere";
            /** @description The schedule whose retention it falls under: the one that made or adopted it. */
            schedule_id: number | null;
            adopted: boolean;
            /**
             * @description The rule by which this schedule keeps it now. Null: no schedule prunes it, or the next prune removes it.
             * @example daily #3
             */
            kept_by: string | null;
        };
        ArchivesCancelDeleteJobAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        ArchivesDeleteAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        ArchivesDeleteJobAnswer: {
            id: number;
            repository_id: number | null;
            archive_name: string;
            status: components["schemas"]["DeleteJobStatus"];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            logs: string | null;
            has_logs: boolean;
            /** @enum {boolean} */
            success: true;
        };
        ArchivesInfoAnswer: {
            /** @enum {boolean} */
            success: true;
            info: components["schemas"]["ArchiveInfo"];
        };
        AttachmentChanges: {
            execution_order?: number;
            enabled?: boolean;
            custom_timeout?: number | null;
            /**
             * @description After which backups the script runs. Before a backup it always runs.
             * @enum {string|null}
             */
            custom_run_on?: "always" | "success" | "failure" | "warning" | null;
            /** @description A failure of this script does not fail the backup: it ends with a warning. */
            continue_on_error?: boolean;
            /**
             * @example {
             *       "CONTAINER": "database"
             *     }
             */
            parameter_values?: {
                [key: string]: unknown;
            } | null;
        };
        AttachmentView: {
            id: number;
            script_id: number;
            script_name: string;
            script_description: string | null;
            hook_type: components["schemas"]["HookType"];
            execution_order: number;
            enabled: boolean;
            custom_timeout: number | null;
            /**
             * @description After which backups the script runs. Before a backup it always runs.
             * @enum {string|null}
             */
            custom_run_on: "always" | "success" | "failure" | "warning" | null;
            continue_on_error: boolean;
            default_timeout: number;
            /** @description After which backups the script runs. Before a backup it always runs. */
            default_run_on: components["schemas"]["RunOn"];
            parameters: components["schemas"]["ScriptParameter"][];
            parameter_values: {
                [key: string]: string;
            } | null;
        };
        AuditEntryView: {
            /** @description Position in the trail, counted from 1 without gaps. */
            seq: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            at: string;
            /** @description `change`: a call that may change something. `secret`: stored secrets were shown. `download`: data left the service. `system`: an action of the service itself or of a CLI command. */
            kind: components["schemas"]["AuditKind"];
            /**
             * @description Id of the operation in the OpenAPI document.
             * @example repositoriesDelete
             */
            action: string;
            /** @description `denied`: wrong password or missing permission. `throttled`: too many attempts. `refused`: rejected for another reason. */
            outcome: components["schemas"]["AuditOutcome"];
            /**
             * @description HTTP status of the response.
             * @example 200
             */
            status: number | null;
            user_id: number | null;
            /**
             * @description The name at that time. Null if the caller was not signed in or, for a login, if there is no such user.
             * @example admin
             */
            username: string | null;
            token_id: number | null;
            /**
             * @description Address of the client, as seen by the service.
             * @example 192.0.2.7
             */
            address: string | null;
            /** @description The same as in `X-Request-Id` and in the log. */
            request_id: string | null;
            /** @example DELETE */
            method: string | null;
            /**
             * @description Path and query, without secrets.
             * @example /api/repositories/7
             */
            url: string | null;
            /** @example repository */
            object_kind: string | null;
            /** @example 7 */
            object_id: string | null;
            /** @description Human-readable note. */
            note: string | null;
            /**
             * @description `hash` of the previous entry.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            previous_hash: string;
            /**
             * @description SHA-256 of this entry and `previous_hash`.
             * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
             */
            hash: string;
        };
        /** @enum {string} */
        AuditKind: "change" | "login" | "secret" | "download" | "system";
        /** @enum {string} */
        AuditOutcome: "done" | "denied" | "throttled" | "refused" | "failed";
        AuditPage: {
            /** @enum {boolean} */
            success: true;
            entries: components["schemas"]["AuditEntryView"][];
            /** @description `before` of the next page; null on the last page. */
            next_before: number | null;
        };
        AuthCreateTokenAnswer: {
            /** @enum {boolean} */
            success: true;
            access_token: string;
            token: components["schemas"]["ApiTokenView"];
        };
        AuthListTokensAnswer: {
            /** @enum {boolean} */
            success: true;
            tokens: components["schemas"]["ApiTokenView"][];
        };
        AuthResetPasswordBody: {
            /** Format: password */
            new_password: string;
        };
        AuthSessionConfirmBody: {
            /** Format: password */
            password: string;
        };
        BackupJobView: {
            id: number;
            repository: string;
            repository_id: number | null;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            progress_details: components["schemas"]["BackupProgress"];
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            archive_name: string | null;
            maintenance_status: string | null;
            scheduled_job_id: number | null;
        };
        BackupProgress: {
            original_size: number;
            compressed_size: number;
            deduplicated_size: number;
            nfiles: number;
            current_file: string;
            progress_percent: number;
            backup_speed: number;
            total_expected_size: number;
            estimated_time_remaining: number;
        };
        BackupsCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        BackupsListAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["BackupJobView"][];
        };
        BackupsStartAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        BackupsStartBody: {
            repository?: string | number;
            repository_id?: number;
        };
        BackupsStatusAnswer: {
            id: number;
            repository: string;
            repository_id: number | null;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            progress_details: components["schemas"]["BackupProgress"];
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            archive_name: string | null;
            maintenance_status: string | null;
            scheduled_job_id: number | null;
            /** @enum {boolean} */
            success: true;
        };
        BorgmaticExported: {
            /** @enum {boolean} */
            success: true;
            files: {
                /** @example home.yaml */
                name: string;
                /**
                 * @example repositories:
                 *       - path: "/backups/home"
                 */
                content: string;
            }[];
            /** @description What a file cannot say, or says differently. */
            notes: {
                /** @example home.yaml */
                file: string;
                reason: string;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                reason_code: string | null;
                /** @description The values in the sentence, by name. */
                reason_params: {
                    [key: string]: string | number | string[];
                };
            }[];
        };
        BorgmaticImport: {
            files: {
                name: string;
                content: string;
            }[];
            /**
             * @description The texts that an earlier call listed in `needs`.
             * @default []
             */
            answers?: {
                /**
                 * @description `include`: another file. `variable`: of the environment. `command`: the output of a passcommand. `credential`: as borgmatic names it. `file`: patterns, excludes or a key. `paths`: what a path with `~`, wildcards or placeholders of Borg stands for, one a line. `passphrase`: of the repository at that path. `ssh`: what `ssh -G` prints for it.
                 * @enum {string}
                 */
                kind: "include" | "variable" | "command" | "credential" | "file" | "paths" | "passphrase" | "ssh";
                name: string;
                /** @description Null: there is none, such as a variable that is not set. */
                text: string | null;
            }[];
            /**
             * @description False: repositories come in observe mode and nothing is planned. True: Holdfast makes the backups from now on; switch borgmatic off first.
             * @default false
             */
            take_over?: boolean;
            /**
             * @description When to back up. borgmatic files name no times: without it, schedules run only by hand.
             * @example 0 2 * * *
             */
            cron_expression?: string;
            /**
             * @description IANA name of the time zone of the cron expression. Default: the time zone of the service (`TZ`); answers name it.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description Creates repositories that do not exist yet.
             * @default false
             */
            create_missing?: boolean;
            /**
             * @description What the files do and Holdfast will not, accepted by name: the `accept_as` of lines, such as `databases`. Without it, `take_over` takes nothing of such a file.
             * @default []
             * @example [
             *       "databases"
             *     ]
             */
            without?: string[];
            /**
             * @description Lets other folders take the place of those that a repository or source set backs up now. Without it, such an object is refused.
             * @default false
             */
            replace_sources?: boolean;
            /**
             * @description Only plans; nothing is changed.
             * @default false
             */
            dry_run?: boolean;
        };
        BorgmaticImported: {
            /** @enum {boolean} */
            success: true;
            dry_run: boolean;
            message: string;
            counts: {
                create: number;
                change: number;
                unchanged: number;
                cannot: number;
                /** @description Options of the files that are left out. */
                options_left_out: number;
            };
            objects: {
                /** @example repositories */
                section: string;
                /**
                 * @description What makes it the same object in every installation.
                 * @example nightly
                 */
                key: string;
                name: string;
                /** @enum {string} */
                action: "create" | "change" | "unchanged" | "cannot";
                /**
                 * @description The fields that change.
                 * @example [
                 *       "prune_keep_daily"
                 *     ]
                 */
                fields: string[];
                /** @description Why it cannot be imported. */
                reason: string | null;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                reason_code: string | null;
                /** @description The values in the sentence, by name. */
                reason_params: {
                    [key: string]: string | number | string[];
                };
                /** @example /etc/borgmatic/config.yaml */
                file: string;
            }[];
            /** @description What became of each option, in the order of the files. */
            lines: components["schemas"]["BorgmaticLine"][];
            /** @description Texts that are missing: send them as `answers`. */
            needs: {
                /**
                 * @description `include`: another file. `variable`: of the environment. `command`: the output of a passcommand. `credential`: as borgmatic names it. `file`: patterns, excludes or a key. `paths`: what a path with `~`, wildcards or placeholders of Borg stands for, one a line. `passphrase`: of the repository at that path. `ssh`: what `ssh -G` prints for it.
                 * @enum {string}
                 */
                kind: "include" | "variable" | "command" | "credential" | "file" | "paths" | "passphrase" | "ssh";
                name: string;
                /** @example /etc/borgmatic/config.yaml */
                file: string;
                line: number;
            }[];
        };
        BorgmaticLine: {
            /** @example /etc/borgmatic/config.yaml */
            file: string;
            line: number;
            /** @example retention.keep_daily */
            key: string;
            /** @enum {string} */
            result: "taken" | "changed" | "left_out";
            /** @description Why it was changed or left out. */
            reason: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            reason_code: string | null;
            /** @description The values in the sentence, by name. */
            reason_params: {
                [key: string]: string | number | string[];
            };
            /**
             * @description Less would be saved, kept or told: `take_over` takes nothing of the file unless `without` has this name.
             * @example databases
             */
            accept_as: string | null;
        };
        BrowserCredentials: {
            username: string;
            /** Format: password */
            password: string;
            /**
             * @description Whether the browser keeps the session when it is closed: for 30 days after its last use. Otherwise the session ends with the browser, or 12 hours after its last use.
             * @default false
             */
            remember?: boolean;
        };
        BrowserSessionView: {
            id: number;
            username: string;
            email: string | null;
            is_active: boolean;
            is_admin: boolean;
            /** @description Until the password is changed, all routes except those of the own account return 403. */
            must_change_password: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_login: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /**
             * @description Seconds.
             * @example 900
             */
            expires_in: number;
        };
        CacheClearRepositoryBody: {
            repo_id: number;
        };
        CacheCleared: {
            /** @enum {boolean} */
            success: true;
            cleared_count: number;
            message: string;
        };
        CacheSettingsInput: {
            /**
             * @description URL of an external cache; empty for none. If it cannot be reached, nothing is changed.
             * @example redis://:password@cache:6379/0
             */
            url?: string | null;
            enabled?: boolean | null;
            ttl_seconds?: number | null;
            max_size_mb?: number | null;
            warm_after_backup?: boolean | null;
        };
        CacheSettingsView: {
            /** @enum {boolean} */
            success: true;
            settings: {
                /** @description Without the password. */
                url: string | null;
                enabled: boolean;
                ttl_seconds: number;
                max_size_mb: number;
                warm_after_backup: boolean;
            };
            /** @description Settings that were changed here and override the environment. */
            overridden: ("url" | "enabled" | "ttl_seconds" | "max_size_mb" | "warm_after_backup")[];
        };
        CacheStats: {
            /**
             * @description The cache that is currently in use.
             * @enum {string}
             */
            backend: "redis" | "plugin" | "in-memory";
            available: boolean;
            /** @enum {string} */
            connection_type: "external_url" | "local" | "in-memory";
            /** @example redis://:***@cache:6379/0 */
            connection_info: string;
            hits: number;
            misses: number;
            hit_rate: number;
            size_bytes: number;
            entry_count: number;
            ttl_seconds: number;
            max_size_mb: number;
            /** @description True while an external cache is configured but the in-memory cache is used instead. */
            redis_fallback: boolean;
            /** @description Why the external cache is not in use. */
            problem: string | null;
        };
        CheckInput: {
            /**
             * @description Seconds. Above 0: a partial check. It covers only the repository itself, continues where the last partial check ended, and does not update `last_check`. 0: a full check.
             * @default 0
             */
            max_duration?: number;
            /**
             * @description Also reads and verifies the content of every file. This takes a long time.
             * @default false
             */
            verify_data?: boolean;
        };
        CheckJobView: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            /** @enum {string} */
            check_type: "manual" | "scheduled" | "repair";
            /** @description It signs archives and neither checks nor repairs; `check_type` is `repair`. */
            signs: boolean;
            max_duration: number;
            verify_data: boolean;
            /** @description Only part of the repository is checked, so `last_check` is not updated. */
            partial: boolean;
            /** @description True: the repository is damaged; see the log. Null: no result yet, or the check ended without one. */
            problems_found: boolean | null;
            /**
             * @description Archives that are damaged as far as this job found.
             * @example [
             *       "home-2026-03-01T02:00:00"
             *     ]
             */
            damaged_archives: string[];
            /**
             * @description Archives that a repair deletes; it stops before.
             * @example [
             *       "home-2026-03-01T02:00:00"
             *     ]
             */
            would_delete: string[];
        };
        CheckScheduleChanges: {
            /**
             * @description Five fields. Empty or null disables the checks.
             * @example 0 4 * * 0
             */
            cron_expression?: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Seconds. Above 0 the checks are partial; 0 makes them full. */
            max_duration?: number;
            /** @description Only allowed with max_duration 0. */
            verify_data?: boolean;
            /** @description Stored for clients that display it. Only the notification settings decide what is sent. */
            notify_on_success?: boolean;
            /** @description Stored for clients that display it. Only the notification settings decide what is sent. */
            notify_on_failure?: boolean;
        };
        CheckScheduleWritten: {
            /** @enum {boolean} */
            success: true;
            message: string;
            repository: {
                check_cron_expression: string | null;
                /**
                 * @description IANA name of the time zone of the cron expression.
                 * @example Europe/Berlin
                 */
                timezone: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                last_scheduled_check: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                next_scheduled_check: string | null;
                /** @description Seconds. Above 0 the checks are partial; 0 makes them full. */
                check_max_duration: number;
                check_verify_data: boolean;
                notify_on_check_success: boolean;
                notify_on_check_failure: boolean;
                /** @description Why the last scheduled check did not start. */
                last_error: string | null;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                last_error_code: string | null;
                /** @description The values in the sentence, by name. */
                last_error_params: {
                    [key: string]: string | number | string[];
                };
                id: number;
                name: string;
            };
        };
        CodedSentence: {
            /** @example incident_late */
            code: string;
            /**
             * @description The values in the sentence, by name.
             * @example {
             *       "repository": "Home",
             *       "newest_archive": "2026-03-01T02:00:00.000Z",
             *       "promised_hours": 26
             *     }
             */
            params: {
                [key: string]: string | number | string[];
            };
            /** @example The newest archive of Home is of 2026-03-01T02:00:00.000Z; it should be at most 26 h old. */
            text: string;
        };
        CompactJobView: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            freed_bytes: number | null;
        };
        Confirmation: {
            /** @enum {boolean} */
            success: true;
            /**
             * Format: date-time
             * @description Until then, this session may do what cannot be undone.
             * @example 2026-03-01T02:00:00.000Z
             */
            confirmed_until: string;
        };
        ConnectionChanges: {
            /** @example storage.example.org */
            host?: string;
            username?: string;
            port?: number;
            /** @description True: copy the key over SFTP. False: copy it with shell commands on the host. */
            use_sftp_mode?: boolean;
            /** @description Administrators only: the connection through which this host is reached, like `ProxyJump` of ssh. Its host key must be pinned. */
            jump_connection_id?: number | null;
            /** @description Administrators only: the backup tool on this host may be used for pull backups. */
            trusted?: boolean;
            /** @description Pull backups, preflight and browsing read files of this host as root, through `sudo -n`. The host must let the user run `sh` without a password. */
            sudo?: boolean;
            /** @example /backups */
            default_path?: string;
            /**
             * @description Prepended to paths in SSH commands, never to SFTP paths.
             * @example /volume1
             */
            ssh_path_prefix?: string | null;
            mount_point?: string | null;
        };
        /** @enum {string} */
        ConnectionStatus: "unknown" | "testing" | "connected" | "failed" | "host_key_changed";
        ConnectionToTest: {
            /** @example storage.example.org */
            host: string;
            username: string;
            /** @default 22 */
            port?: number;
            /** @description Administrators only: the connection through which this host is reached, like `ProxyJump` of ssh. Its host key must be pinned. */
            jump_connection_id?: number | null;
            /**
             * @description The fingerprint that the host key must have.
             * @example SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG
             */
            host_key_fingerprint?: string;
        };
        ConnectionView: {
            id: number;
            ssh_key_id: number | null;
            ssh_key_name: string | null;
            host: string;
            username: string;
            port: number;
            use_sftp_mode: boolean;
            default_path: string;
            ssh_path_prefix: string | null;
            mount_point: string | null;
            trusted: boolean;
            sudo: boolean;
            jump_connection_id: number | null;
            /**
             * @description What the key may run on the host, as of the last test: `borg_serve` is enough for repositories, but not for browsing, storage usage and pull backups. Null before the first test.
             * @enum {string|null}
             */
            allows: "commands" | "borg_serve" | "nothing" | null;
            status: components["schemas"]["ConnectionStatus"];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_test: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_success: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            host_key_fingerprint: string | null;
            offered_host_key_fingerprint: string | null;
            storage: components["schemas"]["RemoteStorage"] | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
        };
        ContentItem: {
            name: string;
            /** @enum {string} */
            type: "directory" | "file" | "symlink" | "other";
            size: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            mtime: string | null;
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
            symlink_target?: string;
            hard_link_target?: string;
            healthy: boolean;
        };
        Credentials: {
            username: string;
            /** Format: password */
            password: string;
        };
        /** @enum {string} */
        DeleteJobStatus: "pending" | "running" | "completed" | "failed" | "cancelled";
        DeliveryView: {
            id: number;
            /** @description Sent with each attempt, so that the receiver can discard duplicates. */
            message_id: string;
            /** @example backup_failure */
            event: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            event_at: string;
            repository_id: number | null;
            repository_name: string | null;
            job_id: number | null;
            /** @description How many failures the message covers. */
            count: number;
            /**
             * @description `collecting`: waiting for more failures of the same kind. `pending`: will be sent or retried. `parked`: given up; see `last_error`.
             * @enum {string}
             */
            status: "collecting" | "pending" | "delivered" | "parked";
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_attempt_at: string | null;
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            delivered_at: string | null;
        };
        DiscoveryView: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            status: components["schemas"]["JobStatus"];
            path: string;
            connection_id: number | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description Folders that were read; 0 on a host that searches by itself. */
            folders: number;
            /** @description Folders that could not be read. */
            unreadable: number;
            /** @description A limit of folders, repositories or time was reached, so there may be more. */
            truncated: boolean;
            total: number;
            found: components["schemas"]["FoundRepository"][];
            /** @description Pass it as `after` for the next page. */
            next_after: number | null;
        };
        Done: {
            /** @enum {boolean} */
            success: true;
            message: string;
        };
        DownloadTicketInput: {
            /**
             * @description Path and query of a download endpoint that accepts tickets, starting with `/api/`.
             * @example /api/backup/logs/7/download
             */
            url: string;
            /**
             * @description For /api/archives/download: entries to download, kept with the ticket. Leave `file_path` out of `url` then.
             * @example [
             *       "home/ann/letters",
             *       "home/ann/photos/2026"
             *     ]
             */
            file_paths?: string[];
        };
        DownloadTicketView: {
            /** @enum {boolean} */
            success: true;
            ticket: string;
            /**
             * @description The link: path and query, including the ticket.
             * @example /api/backup/logs/7/download?ticket=hft_…
             */
            url: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            expires_at: string;
        };
        DrillEvidence: {
            /** @enum {boolean} */
            success: true;
            drill: components["schemas"]["DrillView"];
            /** @description Failures first. */
            results: components["schemas"]["DrillResult"][];
            results_total: number;
        };
        DrillPage: {
            /** @enum {boolean} */
            success: true;
            drills: components["schemas"]["DrillView"][];
            /** @description `before` of the next page; null at the end. */
            next_before: number | null;
        };
        DrillResult: {
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
            /**
             * @description `file` or `symlink`.
             * @example file
             */
            type: string;
            size: number;
            /**
             * @description Of what was restored.
             * @example abababababababababababababababababababababababababababababababab
             */
            sha256: string | null;
            /** @enum {string} */
            verdict: "proved" | "failed" | "not_examined";
            /**
             * @description inventory: type, size, time and link target of the listing of the archive. source: also the hash of the source.
             * @enum {string}
             */
            compared_with: "inventory" | "source";
            /**
             * @description State of the source: `unchanged`, `changed`, `missing` or `not_here` (on another machine, or the archive was made elsewhere).
             * @example unchanged
             */
            source: string;
            reason: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            reason_code: string | null;
            /** @description The values in the sentence, by name. */
            reason_params: {
                [key: string]: string | number | string[];
            };
        };
        DrillScheduleChanges: {
            /**
             * @description Five fields. Empty or null disables the drills.
             * @example 0 5 * * 1
             */
            cron_expression?: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description How many files a drill samples at most.
             * @example 200
             */
            sample_files?: number;
            /**
             * @description How many bytes a drill samples at most.
             * @example 1000000000
             */
            sample_bytes?: number;
            /**
             * @description Paths of the archive that each drill restores beside the sample, with what is below them: at most 10000 files in all.
             * @example [
             *       "home/ann/letters"
             *     ]
             */
            fixed_paths?: string[];
        };
        DrillView: {
            id: number;
            job_id: number;
            repository_id: number | null;
            repository_name: string;
            /**
             * @description How its job ended.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "completed_with_warnings" | "failed" | "cancelled";
            /**
             * @description proved: everything that was restored is as it was saved. failed: something is not. none: the drill ended before it could tell, which says nothing about the repository.
             * @enum {string}
             */
            verdict: "proved" | "failed" | "none";
            requested_by: string;
            /**
             * Format: date-time
             * @description Null: started by hand.
             * @example 2026-03-01T02:00:00.000Z
             */
            planned_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            ended_at: string;
            seconds: number;
            /** @description Null: it did not get that far. */
            archive: {
                name: string;
                /** @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c */
                id: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                start: string;
            } | null;
            archive_files: number;
            archive_bytes: number;
            /** @description Files and symlinks with a verdict. */
            restored_files: number;
            restored_bytes: number;
            failed_files: number;
            /** @description Left out after many failures, or by a limit. */
            not_examined_files: number;
            /** @description By hash, with a source that is unchanged since. */
            compared_with_source: number;
            /** @description Their source changed since, which is no failure. */
            source_changed: number;
            /**
             * @description As of its end.
             * @example 41.5
             */
            coverage_percent: number | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
        };
        DrillsGetScheduleAnswer: {
            repository_id: number;
            repository_name: string;
            cron_expression: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone: string;
            enabled: boolean;
            /**
             * @description How many files a drill samples at most.
             * @example 200
             */
            sample_files: number;
            /**
             * @description How many bytes a drill samples at most.
             * @example 1000000000
             */
            sample_bytes: number;
            /**
             * @description Paths of the archive that each drill restores beside the sample, with what is below them: at most 10000 files in all.
             * @example [
             *       "home/ann/letters"
             *     ]
             */
            fixed_paths: string[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_run: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string | null;
            /** @description Why the last scheduled drill did not start. */
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @description When a drill last restored files and found all of them as they were saved.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_verified_restore: string | null;
            /**
             * @description How many percent of the bytes of the archive that was drilled last were proved in the last 90 days. Null without a drill.
             * @example 41.5
             */
            coverage_percent: number | null;
            /** @enum {boolean} */
            success: true;
        };
        DrillsPutScheduleAnswer: {
            repository_id: number;
            repository_name: string;
            cron_expression: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone: string;
            enabled: boolean;
            /**
             * @description How many files a drill samples at most.
             * @example 200
             */
            sample_files: number;
            /**
             * @description How many bytes a drill samples at most.
             * @example 1000000000
             */
            sample_bytes: number;
            /**
             * @description Paths of the archive that each drill restores beside the sample, with what is below them: at most 10000 files in all.
             * @example [
             *       "home/ann/letters"
             *     ]
             */
            fixed_paths: string[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_run: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string | null;
            /** @description Why the last scheduled drill did not start. */
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @description When a drill last restored files and found all of them as they were saved.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_verified_restore: string | null;
            /**
             * @description How many percent of the bytes of the archive that was drilled last were proved in the last 90 days. Null without a drill.
             * @example 41.5
             */
            coverage_percent: number | null;
            /** @enum {boolean} */
            success: true;
            message: string;
        };
        DrillsStartAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        /** @enum {string} */
        Encryption: "repokey" | "keyfile" | "repokey-blake2" | "keyfile-blake2" | "none";
        ErrorBody: {
            detail: string;
            /** @description Identifies the sentence in `detail`, whatever its wording: see docs/messages.md. */
            code?: string;
            /** @description The values in `detail`, by name. */
            params?: {
                [key: string]: string | number | string[];
            };
            errors?: {
                path: string;
                message: string;
            }[];
            request_id?: string;
        };
        ExchangeExportBorgmaticWithBody: {
            /** @description Default: all repositories. */
            repository_ids?: number[];
            /**
             * @description Writes passphrases and service URLs into the files.
             * @default false
             */
            secrets?: boolean;
        };
        ExchangeExportSealedSettingsBody: {
            /**
             * Format: password
             * @description Seals the secrets. It is not stored: keep it.
             */
            seal_passphrase: string;
        };
        FolderItem: {
            name: string;
            /** @enum {boolean} */
            name_escaped?: true;
            path: string;
            /** @enum {string} */
            type: "directory" | "file" | "symlink" | "other";
            is_directory: boolean;
            size: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            modified: string | null;
            permissions: string | null;
            /** @description Whether the service can read it; null for symlinks and special files. */
            readable: boolean | null;
            /** @description A folder with a Borg repository. */
            repository: boolean;
        };
        FolderView: {
            /** @enum {boolean} */
            success: true;
            current_path: string;
            parent_path: string | null;
            /** @description What the service can still write there. */
            free_bytes: number | null;
            /** @description Mount point of the file system that it is on. */
            mount: string | null;
            /** @description A Borg repository lies here. */
            repository: boolean;
            /** @description Folders first, then by name. */
            items: components["schemas"]["FolderItem"][];
            /** @description There are more entries. */
            truncated: boolean;
        };
        FoundRepository: {
            /** @description For `after`. */
            id: number;
            path: string;
            connection_id: number | null;
            /**
             * @description The backup tool's id. Null: it could not be read.
             * @example 9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c
             */
            repository_id: string | null;
            /** @description False: it is not encrypted, or its key is in a key file. The exact encryption is known once it was opened. */
            key_in_repository: boolean | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_modified: string | null;
            /** @description The registered repository at this place. */
            already_registered: number | null;
            /** @description A registered repository with the same id at another place: this one is a copy of it. */
            same_as: number | null;
            /** @description Why it cannot be used; null if nothing is wrong. */
            broken: components["schemas"]["Sentence"] | null;
            opened: components["schemas"]["OpenedRepository"] | null;
            /** @description Why it did not open at the last attempt. */
            open_error: components["schemas"]["Sentence"] | null;
        };
        HistoryArchive: {
            /** @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            start: string;
            seconds: number | null;
            /** @description Null for archives that the service did not create. */
            original_bytes: number | null;
            /** @description What it added to the repository when it was made. Null unless this service made it. */
            added_bytes: number | null;
            schedule_id: number | null;
            damaged: boolean;
        };
        HistoryDays: {
            /** @enum {boolean} */
            success: true;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string;
            timezone: string;
            /** @example 2026-03-01 */
            first_day: string;
            /**
             * @description Today, in the time zone.
             * @example 2026-03-01
             */
            last_day: string;
            repositories: {
                id: number;
                name: string;
                /**
                 * @description One letter a day, oldest first. `o`: an archive that counts was made. `w`: one with warnings. `f`: failed. `m`: a planned run did not take place. `l`: nothing was planned, and the newest archive was too old. `-`: nothing was due, or a run was cancelled.
                 * @example oooowoofooooooooooooomooooooo-
                 */
                days: string;
            }[];
        };
        HistorySample: {
            /**
             * Format: date-time
             * @description When the job ended.
             * @example 2026-03-01T02:00:00.000Z
             */
            at: string;
            job_id: number;
            /** @enum {string} */
            kind: "backup" | "prune" | "compact";
            /** @description Size of the repository on disk, as in `total_size_bytes`. */
            size_bytes: number | null;
            /** @description Free space where the repository lies. */
            free_bytes: number | null;
            archive_count: number;
            /** @description Of the archive that the job made; null for other jobs. */
            original_bytes: number | null;
            added_bytes: number | null;
            /** @description How long the job ran. */
            seconds: number;
        };
        /** @enum {string} */
        HookType: "pre-backup" | "post-backup";
        HostKeyAcceptance: {
            /** @example SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG */
            fingerprint: string;
        };
        IdentityAcceptance: {
            /** @description The name of the repository, as a confirmation. */
            confirm_name: string;
            /** @description The backup tool's id of the expected repository. Any other repository is rejected. */
            repository_id?: string;
            /**
             * Format: password
             * @description Passphrase of the other repository, if it differs from the stored one. Never returned.
             */
            passphrase?: string | null;
        };
        IdentityAccepted: {
            /** @enum {boolean} */
            success: true;
            message: string;
            before: {
                /** @example 9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c */
                repository_id: string;
                /** @example repokey-blake2 */
                encryption: string;
            };
            after: {
                /** @example 9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c */
                repository_id: string;
                /** @example repokey-blake2 */
                encryption: string;
            };
            repository: components["schemas"]["RepositoryView"];
        };
        ImportCounts: {
            create: number;
            change: number;
            unchanged: number;
            cannot: number;
        };
        ImportManyAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            /** @description In the order of the request. */
            repositories: components["schemas"]["ImportedRow"][];
            created_count: number;
            unchanged_count: number;
            failed_count: number;
        };
        ImportManyInput: {
            /**
             * @example [
             *       {
             *         "path": "/srv/backups/nas"
             *       }
             *     ]
             */
            repositories: {
                /**
                 * @description Absolute, or relative to the data directory. With `connection_id`: absolute on that host, or relative to the home directory with a leading `./`; responses show it as `ssh://user@host:port/path`. No `..` or empty segments.
                 * @example /backups/home
                 */
                path: string;
                connection_id?: number | null;
                /**
                 * @description Without it, the name follows from the path.
                 * @example nas
                 */
                name?: string;
                /**
                 * Format: password
                 * @description Required unless encryption is `none`. May have line breaks. Never returned.
                 */
                passphrase?: string | null;
                /** @description Content of the key file, for `keyfile` encryption modes. */
                keyfile_content?: string | null;
                remote_path?: string | null;
                /**
                 * @default observe
                 * @enum {string}
                 */
                mode?: "observe" | "full";
                /**
                 * @description Absolute paths; full mode requires at least one.
                 * @default []
                 * @example [
                 *       "/home"
                 *     ]
                 */
                source_directories?: string[];
                /** @default [] */
                exclude_patterns?: string[];
            }[];
            /**
             * Format: password
             * @description For all that have none of their own. Never returned.
             */
            passphrase?: string | null;
        };
        ImportedObject: {
            /** @example repositories */
            section: string;
            /**
             * @description What makes it the same object in every installation.
             * @example nightly
             */
            key: string;
            name: string;
            /** @enum {string} */
            action: "create" | "change" | "unchanged" | "cannot";
            /**
             * @description The fields that change.
             * @example [
             *       "prune_keep_daily"
             *     ]
             */
            fields: string[];
            /** @description Why it cannot be imported. */
            reason: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            reason_code: string | null;
            /** @description The values in the sentence, by name. */
            reason_params: {
                [key: string]: string | number | string[];
            };
        };
        ImportedRow: {
            path: string;
            connection_id: number | null;
            /** @enum {string} */
            result: "created" | "unchanged" | "failed";
            repository_id: number | null;
            name: string | null;
            archive_count: number | null;
            /** @description Why it failed. */
            detail: string | null;
            code: string | null;
            /** @description The values in the sentence, by name. */
            params: {
                [key: string]: string | number | string[];
            };
            warnings?: string[];
        };
        IncidentDetails: {
            id: number;
            /**
             * @description What it is about: `late`, `damaged`, `does_not_open`, `archives_unsigned`, `host_key_changed`, `delivery_parked`, `storage_full`, `storage_nearly_full`, `schedule_failing`, `retention_paused`, `drill_failed` or `planned_too_far`. Later releases may add causes.
             * @example late
             */
            cause: string;
            /** @description False once it is over. */
            open: boolean;
            /** @description An object has at most one open incident of each cause. */
            object: {
                /**
                 * @description `repository`, `connection`, `notification_setting`, `schedule` or `service`. More may be added.
                 * @example repository
                 */
                kind: string;
                id: number;
                name: string;
            };
            /** @description Null if the object is no repository. */
            repository_id: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it became true, as far as is known.
             * @example 2026-03-01T02:00:00.000Z
             */
            since: string;
            reason: components["schemas"]["CodedSentence"];
            /**
             * Format: date-time
             * @description No reminder is sent before; then one, if the incident is still open.
             * @example null
             */
            snoozed_until: string | null;
            /** @example null */
            snooze_reason: string | null;
            /** @example null */
            snoozed_by: string | null;
            /**
             * Format: date-time
             * @description When it was over.
             * @example null
             */
            recovered_at: string | null;
            /**
             * @description How it ended.
             * @example null
             */
            recovery: components["schemas"]["CodedSentence"] | null;
            /** @description Who was told, and when; at most 100. */
            messages: {
                delivery_id: number;
                setting_id: number;
                setting_name: string | null;
                /** @example backup_late */
                event: string | null;
                /**
                 * @description `collecting`: waiting for more failures of the same kind. `pending`: will be sent or retried. `parked`: given up; see `last_error`.
                 * @enum {string}
                 */
                status: "collecting" | "pending" | "delivered" | "parked";
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                delivered_at: string | null;
                last_error: string | null;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                last_error_code: string | null;
                /** @description The values in the sentence, by name. */
                last_error_params: {
                    [key: string]: string | number | string[];
                };
            }[];
            attempts: {
                /** @description Backups and checks, and drills after a failed one, since it was opened, or waiting or running then. */
                count: number;
                /** @description The newest ten. */
                last: {
                    job_id: number;
                    /** @enum {string} */
                    kind: "backup" | "check" | "drill";
                    /** @example failed */
                    status: string;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    requested_at: string;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    completed_at: string | null;
                    error_message: string | null;
                    /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                    error_code: string | null;
                    /** @description The values in the sentence, by name. */
                    error_params: {
                        [key: string]: string | number | string[];
                    };
                }[];
            };
        };
        IncidentPage: {
            /** @enum {boolean} */
            success: true;
            incidents: components["schemas"]["IncidentView"][];
            /** @description `before` of the next page; null at the end. */
            next_before: number | null;
        };
        IncidentView: {
            id: number;
            /**
             * @description What it is about: `late`, `damaged`, `does_not_open`, `archives_unsigned`, `host_key_changed`, `delivery_parked`, `storage_full`, `storage_nearly_full`, `schedule_failing`, `retention_paused`, `drill_failed` or `planned_too_far`. Later releases may add causes.
             * @example late
             */
            cause: string;
            /** @description False once it is over. */
            open: boolean;
            /** @description An object has at most one open incident of each cause. */
            object: {
                /**
                 * @description `repository`, `connection`, `notification_setting`, `schedule` or `service`. More may be added.
                 * @example repository
                 */
                kind: string;
                id: number;
                name: string;
            };
            /** @description Null if the object is no repository. */
            repository_id: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it became true, as far as is known.
             * @example 2026-03-01T02:00:00.000Z
             */
            since: string;
            reason: components["schemas"]["CodedSentence"];
            /**
             * Format: date-time
             * @description No reminder is sent before; then one, if the incident is still open.
             * @example null
             */
            snoozed_until: string | null;
            /** @example null */
            snooze_reason: string | null;
            /** @example null */
            snoozed_by: string | null;
            /**
             * Format: date-time
             * @description When it was over.
             * @example null
             */
            recovered_at: string | null;
            /**
             * @description How it ended.
             * @example null
             */
            recovery: components["schemas"]["CodedSentence"] | null;
        };
        /** @enum {string} */
        JobKind: "backup" | "restore" | "check" | "prune" | "compact" | "archive_deletion" | "drill" | "discovery";
        JobProgress: {
            original_size: number;
            compressed_size: number;
            deduplicated_size: number;
            nfiles: number;
            current_file: string;
            speed: number;
            total_expected_size: number;
            estimated_time_remaining: number;
        };
        /** @enum {string} */
        JobStatus: "pending" | "running" | "completed" | "completed_with_warnings" | "failed" | "cancelled";
        JobSubject: {
            /** @description Of a backup, a restore, a drill and an archive deletion. Null: the backup has not made it, or the drill has not chosen it. */
            archive?: string | null;
            /** @description Of a backup by a schedule: its prune and compact. */
            maintenance_status?: string | null;
            destination?: string;
            destination_connection_id?: number | null;
            /** @description Of a restore: `user@host`; null: this machine. */
            destination_host?: string | null;
            /** @description Of a restore: chosen paths; 0: the whole archive. */
            path_count?: number;
            restored?: number | null;
            replaced?: number | null;
            kept?: number | null;
            restored_bytes?: number | null;
            /** @enum {string} */
            check_type?: "manual" | "scheduled" | "repair";
            signs?: boolean;
            damaged_archives?: string[];
            would_delete?: string[];
            max_duration?: number;
            verify_data?: boolean;
            partial?: boolean;
            problems_found?: boolean | null;
            dry_run?: boolean;
            kept_count?: number | null;
            removed_count?: number | null;
            freed_bytes?: number | null;
            /** @description Of a drill: files with a verdict. */
            drilled_files?: number | null;
            failed_files?: number | null;
            /** @description Of a discovery, whose `repository` is the folder: repositories found. */
            found_count?: number | null;
        };
        JobView: {
            id: number;
            kind: components["schemas"]["JobKind"];
            status: components["schemas"]["JobStatus"];
            repository: string;
            /** @description Null: the repository is no longer registered, or the job belongs to none. */
            repository_id: number | null;
            repository_name: string;
            /** @description Null: not by a schedule, or the schedule was deleted. */
            schedule_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            /** @description How long it ran. Null until it has ended. */
            seconds: number | null;
            progress: number;
            progress_details: components["schemas"]["JobProgress"];
            progress_message: string | null;
            /** @description Why it failed; the warnings if it completed with warnings. */
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            /** @description It is being cancelled, or was. */
            cancel_requested: boolean;
            /** @description It has not ended, and you may cancel it. */
            cancellable: boolean;
            about: components["schemas"]["JobSubject"];
        };
        JobsCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        JobsJobAnswer: {
            /** @enum {boolean} */
            success: true;
            job: components["schemas"]["JobView"];
        };
        JobsListAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["JobView"][];
            next_before: number | null;
        };
        KeyDeployment: {
            /** @example storage.example.org */
            host: string;
            username: string;
            /** @default 22 */
            port?: number;
            /**
             * Format: password
             * @description Used once, never stored.
             */
            password: string;
            /**
             * @description True: copy the key over SFTP. False: copy it with shell commands on the host.
             * @default true
             */
            use_sftp_mode?: boolean;
            /** @description Administrators only: the connection through which this host is reached, like `ProxyJump` of ssh. Its host key must be pinned. */
            jump_connection_id?: number | null;
            /**
             * @description The fingerprint that the host key must have.
             * @example SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG
             */
            host_key_fingerprint?: string;
            /** @description Restricts the key to repositories below this path on the host. */
            restrict?: {
                /** @example /backups */
                path: string;
                /**
                 * @description Data that is stored on the host cannot be removed permanently with the key.
                 * @default true
                 */
                append_only?: boolean;
            };
            /** @example /backups */
            default_path?: string;
            /**
             * @description Prepended to paths in SSH commands, never to SFTP paths.
             * @example /volume1
             */
            ssh_path_prefix?: string | null;
            mount_point?: string | null;
        };
        KeyRedeployment: {
            /**
             * Format: password
             * @description Used once, never stored.
             */
            password: string;
            /** @description Restricts the key to repositories below this path on the host. */
            restrict?: {
                /** @example /backups */
                path: string;
                /**
                 * @description Data that is stored on the host cannot be removed permanently with the key.
                 * @default true
                 */
                append_only?: boolean;
            };
        };
        ListingState: {
            /** @enum {boolean} */
            success: true;
            archive: string;
            /**
             * @description `cached`: browsing responds immediately. `building`: a request on this instance is waiting for it. `absent`: the next browse builds it. After `building` this means that the build failed, or that every waiting client disconnected.
             * @enum {string}
             */
            state: "cached" | "building" | "absent";
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /** @description Entries read so far, while building. */
            entries: number | null;
            /** @description Share of the expected entries; 100 when cached. Null when the expected number is unknown. */
            percent: number | null;
            /** @description Number of files in the archive, if this service created it. */
            expected_files: number | null;
        };
        LogPage: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            status: components["schemas"]["JobStatus"];
            lines: {
                line_number: number;
                content: string;
            }[];
            total_lines: number;
            has_more: boolean;
        };
        MaintenanceBreakLockAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            holder: string | null;
        };
        MaintenanceCheckCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        MaintenanceCheckJobAnswer: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            /** @enum {string} */
            check_type: "manual" | "scheduled" | "repair";
            /** @description It signs archives and neither checks nor repairs; `check_type` is `repair`. */
            signs: boolean;
            max_duration: number;
            verify_data: boolean;
            /** @description Only part of the repository is checked, so `last_check` is not updated. */
            partial: boolean;
            /** @description True: the repository is damaged; see the log. Null: no result yet, or the check ended without one. */
            problems_found: boolean | null;
            /**
             * @description Archives that are damaged as far as this job found.
             * @example [
             *       "home-2026-03-01T02:00:00"
             *     ]
             */
            damaged_archives: string[];
            /**
             * @description Archives that a repair deletes; it stops before.
             * @example [
             *       "home-2026-03-01T02:00:00"
             *     ]
             */
            would_delete: string[];
            /** @enum {boolean} */
            success: true;
            /** @description The last 1000 lines of the log, joined; null if there are none. */
            logs: string | null;
        };
        MaintenanceCheckJobsAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["CheckJobView"][];
        };
        MaintenanceCompactCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        MaintenanceCompactJobAnswer: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            freed_bytes: number | null;
            /** @enum {boolean} */
            success: true;
            /** @description The last 1000 lines of the log, joined; null if there are none. */
            logs: string | null;
        };
        MaintenanceCompactJobsAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["CompactJobView"][];
        };
        MaintenanceGetCheckScheduleAnswer: {
            check_cron_expression: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_scheduled_check: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_scheduled_check: string | null;
            /** @description Seconds. Above 0 the checks are partial; 0 makes them full. */
            check_max_duration: number;
            check_verify_data: boolean;
            notify_on_check_success: boolean;
            notify_on_check_failure: boolean;
            /** @description Why the last scheduled check did not start. */
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
            repository_id: number;
            repository_name: string;
            repository_path: string;
            enabled: boolean;
            /** @enum {boolean} */
            success: true;
        };
        MaintenancePruneCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        MaintenancePruneJobAnswer: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            dry_run: boolean;
            /** @description Null: the whole repository. */
            schedule_id: number | null;
            kept_count: number | null;
            /** @description How many archives were removed. For a dry run or a rejected prune: how many would be. */
            removed_count: number | null;
            /** @enum {boolean} */
            success: true;
            /** @description The last 1000 lines of the log, joined; null if there are none. */
            logs: string | null;
            archives: components["schemas"]["PrunedArchive"][] | null;
        };
        MaintenancePruneJobsAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["PruneJobView"][];
        };
        MaintenanceSignArchivesAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        MaintenanceStartCheckAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        MaintenanceStartCompactAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        MaintenanceStartRepairAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        MovingInDiscoverAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        MovingInDiscoverBody: {
            /**
             * @description The folder below which to look. With `connection_id`: on that host, absolute or below its home folder with a leading `./`; without it, the default path of the connection.
             * @example /srv/backups
             */
            path?: string | null;
            /** @description Look on this host. */
            connection_id?: number | null;
            /**
             * @description How many folders below `path` to look.
             * @default 8
             */
            depth?: number;
        };
        MovingInOpenBody: {
            /**
             * Format: password
             * @description Tried on all that are neither broken, opened nor registered. Not stored.
             */
            passphrase?: string | null;
            /** @description Opens just these, each with its own secret. */
            passphrases?: {
                path: string;
                /**
                 * Format: password
                 * @description Required unless encryption is `none`. May have line breaks. Never returned.
                 */
                passphrase?: string | null;
                /** @description Content of the key file, for `keyfile` encryption modes. */
                keyfile_content?: string | null;
            }[];
            after?: number | null;
            /** @default 20 */
            limit?: number;
        };
        NewApiToken: {
            name: string;
            /** @default false */
            read_only?: boolean;
            /** Format: date-time */
            expires_at?: string | null;
        };
        NewAttachment: {
            script_id: number;
            hook_type: components["schemas"]["HookType"];
            /** @default 1 */
            execution_order?: number;
            /** @default true */
            enabled?: boolean;
            custom_timeout?: number | null;
            /**
             * @description After which backups the script runs. Before a backup it always runs.
             * @enum {string|null}
             */
            custom_run_on?: "always" | "success" | "failure" | "warning" | null;
            /**
             * @description A failure of this script does not fail the backup: it ends with a warning.
             * @default true
             */
            continue_on_error?: boolean;
            /**
             * @example {
             *       "CONTAINER": "database"
             *     }
             */
            parameter_values?: {
                [key: string]: unknown;
            } | null;
        };
        NewPassphrase: {
            /**
             * Format: password
             * @description Never returned.
             */
            passphrase: string;
        };
        NewScript: {
            name: string;
            description?: string | null;
            content: string;
            /**
             * @default custom
             * @enum {string}
             */
            category?: "custom" | "template";
            /** @default 300 */
            timeout?: number;
            /**
             * @description After which backups the script runs. Before a backup it always runs.
             * @default always
             */
            run_on?: components["schemas"]["RunOn"];
            /** @description Default: detected in the script, as every name between braces after a dollar sign. */
            parameters?: {
                name: string;
                /**
                 * @default text
                 * @enum {string}
                 */
                type?: "text" | "password";
                /** @default  */
                default?: string;
                /** @default  */
                description?: string;
                /** @default false */
                required?: boolean;
            }[] | null;
        };
        NewSourceSet: {
            name: string;
            /**
             * @description Absolute paths; full mode requires at least one.
             * @example [
             *       "/home"
             *     ]
             */
            source_directories: string[];
            /** @default [] */
            exclude_patterns?: string[];
            /** @description SSH connection to the host of the directories. None: this machine. */
            source_connection_id?: number | null;
            /**
             * @description Backups of repositories with this set may run at the same time.
             * @default false
             */
            allow_parallel?: boolean;
        };
        NewSshKey: {
            name: string;
            /**
             * @description rsa: 3072 bits, ecdsa: nistp256.
             * @default rsa
             * @enum {string}
             */
            key_type?: "rsa" | "ed25519" | "ecdsa";
            description?: string | null;
        };
        NewUser: {
            username: string;
            /** Format: password */
            password: string;
            /**
             * Format: email
             * @example operator@example.org
             */
            email?: string | null;
            /** @default false */
            is_admin?: boolean;
        };
        NotificationServiceView: {
            /**
             * @description The id of its plugin.
             * @example ntfy
             */
            service: string;
            /** @example ntfy */
            name: string;
            /**
             * @description What `{scheme}` may be; the first is the usual one. `*`: the value of the field has its own.
             * @example [
             *       "ntfys",
             *       "ntfy"
             *     ]
             */
            schemes: string[];
            fields: {
                /** @example topic */
                name: string;
                /** @example Topic */
                label: string;
                /**
                 * @description `host`: a name or an address, with a port if needed. `boolean`: `yes` or `no`.
                 * @example secret
                 * @enum {string}
                 */
                kind: "text" | "secret" | "number" | "boolean" | "host";
                required: boolean;
                /** @example Up to 64 letters, digits, _ and -. */
                help: string;
                /** @example backups-x7Kq2 */
                example: string;
            }[];
            /**
             * @description The service URL as a URI template (RFC 6570): `{name}` is percent-encoded, `{+name}` keeps the characters of a host, and `{?a,b}` lists the fields that have a value.
             * @example {scheme}://{+host}/{topic}{?token}
             */
            template: string;
        };
        NotificationSettingView: {
            id: number;
            name: string;
            /** @description Unmasked for administrators, `scheme://***` for others. */
            service_url: string;
            enabled: boolean;
            title_prefix: string | null;
            include_job_name_in_title: boolean;
            notify_on_backup_start: boolean;
            notify_on_backup_success: boolean;
            notify_on_backup_failure: boolean;
            notify_on_restore_success: boolean;
            notify_on_restore_failure: boolean;
            notify_on_check_success: boolean;
            notify_on_check_failure: boolean;
            notify_on_schedule_failure: boolean;
            notify_on_backup_warning: boolean;
            notify_on_backup_late: boolean;
            notify_on_backup_on_time_again: boolean;
            notify_on_damaged: boolean;
            notify_on_retention_paused: boolean;
            notify_on_incident: boolean;
            notify_on_report_weekly: boolean;
            monitor_all_repositories: boolean;
            failure_grouping_minutes: number;
            /** @description The monitored repositories if monitor_all_repositories is false, otherwise empty. */
            repositories: {
                id: number;
                name: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When a message was last delivered.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_used_at: string | null;
        };
        NotificationSettingWritten: {
            id: number;
            name: string;
            /** @description Unmasked for administrators, `scheme://***` for others. */
            service_url: string;
            enabled: boolean;
            title_prefix: string | null;
            include_job_name_in_title: boolean;
            notify_on_backup_start: boolean;
            notify_on_backup_success: boolean;
            notify_on_backup_failure: boolean;
            notify_on_restore_success: boolean;
            notify_on_restore_failure: boolean;
            notify_on_check_success: boolean;
            notify_on_check_failure: boolean;
            notify_on_schedule_failure: boolean;
            notify_on_backup_warning: boolean;
            notify_on_backup_late: boolean;
            notify_on_backup_on_time_again: boolean;
            notify_on_damaged: boolean;
            notify_on_retention_paused: boolean;
            notify_on_incident: boolean;
            notify_on_report_weekly: boolean;
            monitor_all_repositories: boolean;
            failure_grouping_minutes: number;
            /** @description The monitored repositories if monitor_all_repositories is false, otherwise empty. */
            repositories: {
                id: number;
                name: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When a message was last delivered.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_used_at: string | null;
            warnings?: string[];
        };
        NotificationTest: {
            service_url: string;
        };
        NotificationsCreateBody: {
            name: string;
            /**
             * @description A service URL in the format of the notification library; `json://` and `jsons://` send JSON webhooks. Stored encrypted. Only administrators see it unmasked.
             * @example jsons://user:password@hooks.example.org/backup
             */
            service_url: string;
            title_prefix?: string | null;
            /** @description The repositories to monitor. Only used when monitor_all_repositories is false. An update with an empty list does not change them. */
            repository_ids?: number[] | null;
            /** @default true */
            enabled?: boolean;
            /** @default false */
            include_job_name_in_title?: boolean;
            /** @default false */
            notify_on_backup_start?: boolean;
            /** @default false */
            notify_on_backup_success?: boolean;
            /** @default true */
            notify_on_backup_failure?: boolean;
            /** @default false */
            notify_on_restore_success?: boolean;
            /** @default true */
            notify_on_restore_failure?: boolean;
            /** @default false */
            notify_on_check_success?: boolean;
            /** @default true */
            notify_on_check_failure?: boolean;
            /** @default true */
            notify_on_schedule_failure?: boolean;
            /** @default true */
            notify_on_backup_warning?: boolean;
            /** @default true */
            notify_on_backup_late?: boolean;
            /** @default true */
            notify_on_backup_on_time_again?: boolean;
            /** @default true */
            notify_on_damaged?: boolean;
            /** @default true */
            notify_on_retention_paused?: boolean;
            /** @default true */
            notify_on_incident?: boolean;
            /** @default true */
            notify_on_report_weekly?: boolean;
            /** @default true */
            monitor_all_repositories?: boolean;
            /**
             * @description Repeated failures of the same kind in the same repository within this many minutes become one message with a count, sent when the time is up. Another message follows on recovery. 0: one message per failure.
             * @default 0
             */
            failure_grouping_minutes?: number;
        } & {
            [key: string]: unknown;
        };
        NotificationsDeliveriesAnswer: {
            /** @enum {boolean} */
            success: true;
            deliveries: components["schemas"]["DeliveryView"][];
            total: number;
        };
        NotificationsResendAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            delivery: components["schemas"]["DeliveryView"];
        };
        NotificationsTestAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
        };
        NotificationsUpdateBody: {
            name?: string;
            /**
             * @description A service URL in the format of the notification library; `json://` and `jsons://` send JSON webhooks. Stored encrypted. Only administrators see it unmasked.
             * @example jsons://user:password@hooks.example.org/backup
             */
            service_url?: string;
            title_prefix?: string | null;
            /** @description The repositories to monitor. Only used when monitor_all_repositories is false. An update with an empty list does not change them. */
            repository_ids?: number[] | null;
            enabled?: boolean;
            include_job_name_in_title?: boolean;
            notify_on_backup_start?: boolean;
            notify_on_backup_success?: boolean;
            notify_on_backup_failure?: boolean;
            notify_on_restore_success?: boolean;
            notify_on_restore_failure?: boolean;
            notify_on_check_success?: boolean;
            notify_on_check_failure?: boolean;
            notify_on_schedule_failure?: boolean;
            notify_on_backup_warning?: boolean;
            notify_on_backup_late?: boolean;
            notify_on_backup_on_time_again?: boolean;
            notify_on_damaged?: boolean;
            notify_on_retention_paused?: boolean;
            notify_on_incident?: boolean;
            notify_on_report_weekly?: boolean;
            monitor_all_repositories?: boolean;
            /** @description Repeated failures of the same kind in the same repository within this many minutes become one message with a count, sent when the time is up. Another message follows on recovery. 0: one message per failure. */
            failure_grouping_minutes?: number;
        } & {
            [key: string]: unknown;
        };
        OpenAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            /** @description Those that were tried, with the result. */
            found: components["schemas"]["FoundRepository"][];
            opened_count: number;
            /** @description There are more to try: call again with the same passphrase and this as `after`. */
            next_after: number | null;
        };
        OpenedRepository: {
            /** @example repokey-blake2 */
            encryption: string;
            archive_count: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            newest_archive: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            oldest_archive: string | null;
            /**
             * @description Who made the archives; at most ten.
             * @example [
             *       "nas"
             *     ]
             */
            hostnames: string[];
        };
        Overview: {
            /** @enum {boolean} */
            success: true;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string;
            headline: {
                /**
                 * @description Identifies the sentence, whatever its wording. See the page on messages.
                 * @example attention_late
                 */
                code: string;
                /**
                 * @description The values in the sentence, by name.
                 * @example {
                 *       "name": "Home"
                 *     }
                 */
                params: {
                    [key: string]: string | number | string[];
                };
                /** @example The newest archive is 9.5 h old; the objective is 26 h. */
                text: string;
                /**
                 * @description The worst state of any repository. `empty`: there is none.
                 * @enum {string}
                 */
                state: "empty" | "damaged" | "late" | "unknown" | "protected";
            };
            counts: {
                total: number;
                protected: number;
                late: number;
                unknown: number;
                /** @description Each of them is also late or unknown. */
                damaged: number;
                /** @description Running jobs. */
                running: number;
                /** @description Repositories with `made_elsewhere`. */
                elsewhere: number;
            };
            /** @description Repositories with archives, of which this service has made none yet. */
            moved_in: {
                total: number;
                /** @description Those of them in observe mode: nothing here backs them up. */
                observed: number;
                /**
                 * Format: date-time
                 * @description When the next of the others is backed up here for the first time.
                 * @example 2026-03-01T02:00:00.000Z
                 */
                first_backup: string | null;
            };
            /** @description The repository whose newest archive is the oldest. */
            oldest_newest_archive: {
                repository_id: number;
                name: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                at: string;
            } | null;
            next_run: {
                schedule_id: number;
                name: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                at: string;
            } | null;
            /** @description The most urgent first; at most 100. */
            attention: components["schemas"]["OverviewAttention"][];
            attention_total: number;
            timezone: string;
            /**
             * @description The day of the first letter in `days`.
             * @example 2026-03-01
             */
            first_day: string;
            /** @example 2026-03-01 */
            last_day: string;
            repositories: components["schemas"]["OverviewRepository"][];
        };
        OverviewAttention: {
            /**
             * @description Identifies the sentence, whatever its wording. See the page on messages.
             * @example attention_late
             */
            code: string;
            /**
             * @description The values in the sentence, by name.
             * @example {
             *       "name": "Home"
             *     }
             */
            params: {
                [key: string]: string | number | string[];
            };
            /** @example The newest archive is 9.5 h old; the objective is 26 h. */
            text: string;
            /**
             * @description In this order: `damaged`, `does_not_open`, `drill_failed`, `late`, `archives_unsigned`, `host_key_changed`, `delivery_parked`, `storage_full`, `storage_nearly_full`, `schedule_failing`, `retention_paused`, `archive_incomplete`, `list_outdated`, `not_covered`, `nobody_told`, `recovery_sheet`. Later releases may add causes.
             * @example late
             */
            cause: string;
            object: {
                /**
                 * @description `repository`, `connection`, `notification_setting`, `schedule`, or `service` with the id 1.
                 * @example repository
                 */
                kind: string;
                id: number;
                name: string;
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            since: string | null;
            /** @description The open incident about it, if there is one. */
            incident_id: number | null;
            /**
             * Format: date-time
             * @description Until when that incident is snoozed.
             * @example 2026-03-01T02:00:00.000Z
             */
            snoozed_until: string | null;
        };
        OverviewRepository: {
            id: number;
            name: string;
            /**
             * @description As in the report on protection, from what is known without asking the backup tool: `unknown` also if the archives were last seen more than 48 hours ago.
             * @enum {string}
             */
            status: "protected" | "late" | "unknown";
            damaged: boolean;
            /** @description The decisive reason. */
            reason: {
                /**
                 * @description Identifies the sentence, whatever its wording. See the page on messages.
                 * @example attention_late
                 */
                code: string;
                /**
                 * @description The values in the sentence, by name.
                 * @example {
                 *       "name": "Home"
                 *     }
                 */
                params: {
                    [key: string]: string | number | string[];
                };
                /** @example The newest archive is 9.5 h old; the objective is 26 h. */
                text: string;
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            newest_archive: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            protected_until: string | null;
            /** @description Something else made the newest archive since the repository was registered and last backed up here: it is still backed up elsewhere. */
            made_elsewhere: boolean;
            /**
             * Format: date-time
             * @description When its archives were last seen: listed, or made by a backup of this service.
             * @example 2026-03-01T02:00:00.000Z
             */
            archives_as_of: string | null;
            archive_count: number;
            /** @description Compressed, deduplicated size on disk. */
            size_bytes: number | null;
            /** @description Free space where it lies, as last seen. */
            free_bytes: number | null;
            /**
             * @description `observe`: nothing here backs it up.
             * @enum {string}
             */
            mode: "full" | "observe";
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string | null;
            running: {
                job_id: number;
                /** @example backup */
                kind: string;
                percent: number;
                /** @description Null when unknown. */
                seconds_remaining: number | null;
            } | null;
            /**
             * Format: date-time
             * @description The last full check that passed.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_check: string | null;
            /**
             * Format: date-time
             * @description The last restore that restored everything requested without a warning.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_restore: string | null;
            /**
             * Format: date-time
             * @description When a drill last restored files and found all of them as they were saved.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_verified_restore: string | null;
            /**
             * @description How many percent of the bytes of the archive that was drilled last were proved in the last 90 days. Null without a drill.
             * @example 41.5
             */
            coverage_percent: number | null;
            /**
             * @description One letter a day, oldest first. `o`: an archive that counts was made. `w`: one with warnings. `f`: failed. `m`: a planned run did not take place. `l`: nothing was planned, and the newest archive was too old. `-`: nothing was due, or a run was cancelled.
             * @example oooowoofooooooooooooomooooooo-
             */
            days: string;
        };
        OwnBackupChange: {
            /** @description False keeps the repository and disables the schedule. */
            enabled: boolean;
            /**
             * @description Where to create the repository, as for any repository. Default: `suggested_path` of the answer to GET.
             * @example /mnt/backup/holdfast-own-backup
             */
            path?: string | null;
            /** @description SSH connection to the host of the repository; needs `path`. */
            connection_id?: number | null;
            /**
             * @description Borg on the host of the repository, as for any repository.
             * @example borg-linux64
             */
            remote_path?: string;
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Empty or null: only by hand.
             * @example 15 1 * * *
             */
            cron_expression?: string;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone?: string;
        };
        OwnBackupView: {
            /** @enum {boolean} */
            success: true;
            enabled: boolean;
            /** @description Null until it was switched on for the first time. */
            repository_id: number | null;
            schedule_id: number | null;
            path: string | null;
            connection_id: number | null;
            /** @description Where the repository would be created; null once there is one. */
            suggested_path: string | null;
            /** @description The repository lies on the disk of the data folder and would be lost with it. */
            same_disk: boolean;
            cron_expression: string | null;
            timezone: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_backup_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string | null;
            /** @description Why the newest backup failed or could not run; null if all is well. */
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
            warnings: string[];
        };
        PasswordChange: {
            /** Format: password */
            current_password: string;
            /** Format: password */
            new_password: string;
        };
        PathHistory: {
            /** @enum {boolean} */
            success: true;
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
            archives: number;
            history: {
                /** @enum {string} */
                type?: "directory" | "file" | "symlink" | "other";
                size?: number;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                mtime?: string | null;
                /** @enum {string} */
                state: "appeared" | "changed" | "vanished";
                archive: string;
                archive_id: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                start: string;
            }[];
        };
        PluginView: {
            /**
             * @description Name of the package. If the package could not be read: its name in the configuration.
             * @example @holdfast/driver-borg
             */
            name: string;
            /** @description Null, like kind and id, if the package could not be read. */
            version: string | null;
            /** @enum {string|null} */
            kind: "storage" | "jobs" | "cache" | "notify" | "driver" | null;
            id: string | null;
            /** @description Operations of a driver or URL schemes of a notification transport; empty for other kinds. */
            capabilities: string[];
            /**
             * @description Where it was found.
             * @enum {string}
             */
            from: "built-in" | "PLUGINS" | "data folder";
            /** @description If it fails, the service starts without it. */
            optional: boolean;
            /** @description False: it is installed, but another plugin of its kind is used. */
            chosen: boolean;
            /** @description Null if it is not chosen. */
            healthy: boolean | null;
            /** @description What is wrong if the plugin is not healthy. */
            problem: string | null;
        };
        PreflightInput: {
            /**
             * @description Absolute paths; full mode requires at least one.
             * @example [
             *       "/home"
             *     ]
             */
            source_directories: string[];
            /** @description SSH connection to the host of the sources. None: this machine. */
            source_connection_id?: number | null;
            /** @default [] */
            exclude_patterns?: string[];
            /**
             * @description Additional flags for the command that creates archives. At most 65,536 characters.
             * @example --one-file-system
             */
            custom_flags?: string | null;
            /**
             * @description Where the repository is or will be.
             * @example /backups/home
             */
            path?: string | null;
            /** @description SSH connection to the host of the repository. None: this machine. */
            connection_id?: number | null;
            /**
             * @description Borg on that host. Default: `borg`.
             * @example borg-linux64
             */
            remote_path?: string | null;
            /** @description The repository, to take its scripts and schedules into account. */
            repository_id?: number | null;
        };
        PreflightResult: {
            /** @enum {boolean} */
            success: true;
            /** @description False: the time was up, or not everything could be checked. The figures are not exact then. */
            complete: boolean;
            /** @description Null: the host of the sources cannot count. */
            files: number | null;
            bytes: number | null;
            /** @description Saved as links; what they point to is not. */
            symlinks: number | null;
            unreadable: {
                count: number;
                /** @description The first 20. */
                paths: string[];
            };
            /** @description Sources that do not exist. */
            missing: string[];
            /** @description Sources that are symlinks: only the link is saved. */
            symlink_sources: string[];
            /** @description Exclude patterns that were not applied here. A backup applies them. */
            unchecked_patterns: string[];
            /** @description Free at `path`; null if unknown. */
            free_bytes: number | null;
            /** @description Sources on the file system of `path`; null if this cannot be known. */
            same_disk: string[] | null;
            /**
             * @description Version of the backup tool where the repository is; null if it was not found or did not answer.
             * @example borg 1.2.4
             */
            tool: string | null;
            /** @description What to think about before the first backup. */
            warnings: {
                /** @example source_missing */
                code: string;
                params: {
                    [key: string]: string | number | string[];
                };
                text: string;
            }[];
        };
        PreviewAnswer: {
            /** @enum {boolean} */
            success: true;
            /** @description At most five; empty without a cron expression. */
            next_runs: string[];
            /** @description The cron expression in words. */
            description: string | null;
            /** @description Newest first, with what a prune would do now. Null without a repository. */
            archives: {
                name: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                start: string;
                /**
                 * @description `removed`, or the rule that keeps it: `daily #3`, `within #1`, `newest good archive`, `newest archive with /srv/a` (the newest that could read it), `in the future`.
                 * @example weekly #2
                 */
                rule: string;
                /**
                 * @description The id that the backup tool gave it.
                 * @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c
                 */
                id: string;
                /** @description The schedule whose retention it falls under. */
                schedule_id: number | null;
            }[] | null;
            kept_count: number | null;
            removed_count: number | null;
            /**
             * Format: date-time
             * @description When the list of archives was last read from the repository.
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string | null;
            /** @description Only with `simulate`; null without a cron expression. */
            simulation?: {
                /** @description The last 400 days by the clock of the time zone, the oldest first. */
                days: {
                    date: string;
                    made: number;
                    kept: number;
                }[];
                made: number;
                kept: number;
                /**
                 * Format: date-time
                 * @description The oldest archive that is kept.
                 * @example 2026-03-01T02:00:00.000Z
                 */
                oldest: string | null;
            } | null;
            warnings?: string[];
        };
        ProtectionAlarm: {
            /** @enum {string} */
            status?: "protected" | "not_protected";
            detail: string;
            /** @example protection_complete */
            code?: string;
            /**
             * @description The values in the sentence, by name.
             * @example {}
             */
            params?: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of?: string;
            counts?: {
                protected: number;
                late: number;
                unknown: number;
                damaged: number;
            };
            /**
             * @description Those that need attention. Only for callers with a token.
             * @example []
             */
            repositories?: {
                id: number;
                name: string;
                status: components["schemas"]["ProtectionStatus"];
                damaged: boolean;
                reasons: string[];
                reason_codes: {
                    /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                    code: string;
                    /** @description The values in the sentence, by name. */
                    params: {
                        [key: string]: string | number | string[];
                    };
                }[];
            }[];
            request_id?: string;
        };
        ProtectionHealth: {
            /** @enum {string} */
            status: "protected" | "not_protected";
            /** @example Nothing is late, damaged or closed. */
            detail: string;
            /** @example protection_complete */
            code: string;
            /**
             * @description The values in the sentence, by name.
             * @example {}
             */
            params: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string;
            counts: {
                protected: number;
                late: number;
                unknown: number;
                damaged: number;
            };
            /**
             * @description Those that need attention. Only for callers with a token.
             * @example []
             */
            repositories?: {
                id: number;
                name: string;
                status: components["schemas"]["ProtectionStatus"];
                damaged: boolean;
                reasons: string[];
                reason_codes: {
                    /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                    code: string;
                    /** @description The values in the sentence, by name. */
                    params: {
                        [key: string]: string | number | string[];
                    };
                }[];
            }[];
        };
        ProtectionReport: {
            /** @enum {boolean} */
            success: true;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            as_of: string;
            summary: {
                protected: number;
                late: number;
                unknown: number;
            };
            repositories: components["schemas"]["RepositoryProtection"][];
        };
        /** @enum {string} */
        ProtectionStatus: "protected" | "late" | "unknown";
        PruneAnswer: {
            /** @description False when the prune failed or was cancelled. */
            success: boolean;
            job_id: number;
            status: components["schemas"]["JobStatus"];
            dry_run: boolean;
            message: string;
            /** @description Newest first; null until known. */
            archives: components["schemas"]["PrunedArchive"][] | null;
            /** @description Null while the job is pending or running: see GET …/prune-jobs/{job_id}. */
            prune_result: {
                success: boolean;
                stdout: string;
                stderr: string;
            } | null;
        };
        PruneInput: {
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 0
             */
            keep_hourly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 7
             */
            keep_daily?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 4
             */
            keep_weekly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 6
             */
            keep_monthly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 0
             */
            keep_quarterly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 1
             */
            keep_yearly?: number;
            /**
             * @description Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.
             * @example 2d
             */
            keep_within?: string | null;
            /** @description Only archives that belong to this schedule: created by it, or adopted. Without it, all archives of the repository. */
            schedule_id?: number | null;
            /**
             * @description Only reports what would be removed.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description Without it, a prune that would remove more than half of the archives fails.
             * @default false
             */
            confirm_more_than_half?: boolean;
        };
        PruneJobView: {
            id: number;
            repository_id: number | null;
            repository: string;
            repository_name: string;
            status: components["schemas"]["JobStatus"];
            /** @enum {string} */
            triggered_by: "manual" | "schedule";
            scheduled_job_id: number | null;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            /** @description The current phase, as reported by the backup tool. */
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            /** @description What a pending job is waiting for. */
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            dry_run: boolean;
            /** @description Null: the whole repository. */
            schedule_id: number | null;
            kept_count: number | null;
            /** @description How many archives were removed. For a dry run or a rejected prune: how many would be. */
            removed_count: number | null;
        };
        PrunedArchive: {
            name: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            start: string;
            /**
             * @description `removed`, or the rule that keeps it: `daily #3`, `within #1`, `newest good archive`, `newest archive with /srv/a` (the newest that could read it), `in the future`.
             * @example weekly #2
             */
            rule: string;
        };
        QuickSetup: {
            name: string;
            /**
             * @description rsa: 3072 bits, ecdsa: nistp256.
             * @default rsa
             * @enum {string}
             */
            key_type?: "rsa" | "ed25519" | "ecdsa";
            description?: string | null;
            /** @example storage.example.org */
            host?: string;
            username?: string;
            /** @default 22 */
            port?: number;
            /**
             * Format: password
             * @description Used once, never stored.
             */
            password?: string;
            /**
             * @description Only generate the key.
             * @default false
             */
            skip_deployment?: boolean;
            /**
             * @description True: copy the key over SFTP. False: copy it with shell commands on the host.
             * @default true
             */
            use_sftp_mode?: boolean;
            /**
             * @description The fingerprint that the host key must have.
             * @example SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG
             */
            host_key_fingerprint?: string;
            /** @description Restricts the key to repositories below this path on the host. */
            restrict?: {
                /** @example /backups */
                path: string;
                /**
                 * @description Data that is stored on the host cannot be removed permanently with the key.
                 * @default true
                 */
                append_only?: boolean;
            };
            /** @example /backups */
            default_path?: string;
            /**
             * @description Prepended to paths in SSH commands, never to SFTP paths.
             * @example /volume1
             */
            ssh_path_prefix?: string | null;
            mount_point?: string | null;
        };
        ReleaseAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            archives: {
                /**
                 * @description The id that the backup tool gave it.
                 * @example 8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c
                 */
                id: string;
                name: string;
            }[];
        };
        RemoteItem: {
            name: string;
            /** @enum {boolean} */
            name_escaped?: true;
            path: string;
            /** @enum {string} */
            type: "directory" | "file" | "symlink" | "other";
            is_directory: boolean;
            size: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            modified: string | null;
            permissions: string | null;
        };
        RemoteStorage: {
            total: number;
            used: number;
            available: number;
            total_formatted: string;
            used_formatted: string;
            available_formatted: string;
            percent_used: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_check: string;
        };
        RepairInput: {
            /** @description The name of the repository, as a confirmation. A repair may lose data that is still readable. */
            confirm_name: string;
            /**
             * @description Names of the archives that the repair may delete. It stops before it deletes any other, and names it in `would_delete` of its job.
             * @default []
             */
            delete_archives?: string[];
        };
        RepositoriesCreateBody: {
            name: string;
            /**
             * @description Absolute, or relative to the data directory. With `connection_id`: absolute on that host, or relative to the home directory with a leading `./`; responses show it as `ssh://user@host:port/path`. No `..` or empty segments.
             * @example /backups/home
             */
            path: string;
            /**
             * Format: password
             * @description Required unless encryption is `none`. May have line breaks. Never returned.
             */
            passphrase?: string | null;
            /** @default repokey */
            encryption?: components["schemas"]["Encryption"];
            remote_path?: string | null;
            pre_backup_script?: string | null;
            post_backup_script?: string | null;
            /**
             * @description Additional flags for the command that creates archives. At most 65,536 characters.
             * @example --one-file-system
             */
            custom_flags?: string | null;
            /** @description SSH connection to the host of the repository. */
            connection_id?: number | null;
            /** @description SSH connection to the host whose `source_directories` are backed up. None: this machine. */
            source_connection_id?: number | null;
            /** @description Source set that `source_directories`, `exclude_patterns` and `source_connection_id` come from; they cannot be set beside it. Null: a set that was used before leaves its values behind. */
            source_set_id?: number | null;
            /**
             * @description `lz4`, `zstd`, `zlib`, `lzma` or `none`. All but `lz4` and `none` accept a level: `zstd,10`. Before it may stand `obfuscate,110,` (or another number from 1 to 6 or 110 to 123) and `auto,`.
             * @default lz4
             * @example lz4
             */
            compression?: string;
            /**
             * @description Absolute paths; full mode requires at least one.
             * @default []
             * @example [
             *       "/home"
             *     ]
             */
            source_directories?: string[];
            /** @default [] */
            exclude_patterns?: string[];
            /** @default 300 */
            hook_timeout?: number;
            /** @default 300 */
            pre_hook_timeout?: number;
            /** @default 300 */
            post_hook_timeout?: number;
            /** @default false */
            continue_on_hook_failure?: boolean;
            /** @default full */
            mode?: components["schemas"]["RepositoryMode"];
            /**
             * @description Observe mode only.
             * @default false
             */
            bypass_lock?: boolean;
            /**
             * @description Maximum age of the newest archive, in hours. Null: derived from the enabled schedules.
             * @example 26
             */
            freshness_hours?: number | null;
            /**
             * @description A backup ends with a warning if its files or bytes shrank by more than this since the last complete backup. 0: never.
             * @default 90
             * @example 50
             */
            shrink_warning_percent?: number;
            /**
             * @description What was backed up before the repository was taken over here, and is not now. Null when it is solved.
             * @example [
             *       "databases"
             *     ]
             */
            left_out?: string[] | null;
        } & {
            [key: string]: unknown;
        };
        RepositoriesDeleteAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            switched_off: components["schemas"]["SwitchedOff"];
        };
        RepositoriesGetAnswer: {
            /** @enum {boolean} */
            success: true;
            repository: components["schemas"]["RepositoryView"];
        };
        RepositoriesImportBody: {
            name: string;
            /**
             * @description Absolute, or relative to the data directory. With `connection_id`: absolute on that host, or relative to the home directory with a leading `./`; responses show it as `ssh://user@host:port/path`. No `..` or empty segments.
             * @example /backups/home
             */
            path: string;
            /**
             * Format: password
             * @description Required unless encryption is `none`. May have line breaks. Never returned.
             */
            passphrase?: string | null;
            /** @description Content of the key file, for `keyfile` encryption modes. */
            keyfile_content?: string | null;
            remote_path?: string | null;
            pre_backup_script?: string | null;
            post_backup_script?: string | null;
            /**
             * @description Additional flags for the command that creates archives. At most 65,536 characters.
             * @example --one-file-system
             */
            custom_flags?: string | null;
            /** @description SSH connection to the host of the repository. */
            connection_id?: number | null;
            /** @description SSH connection to the host whose `source_directories` are backed up. None: this machine. */
            source_connection_id?: number | null;
            /** @description Source set that `source_directories`, `exclude_patterns` and `source_connection_id` come from; they cannot be set beside it. Null: a set that was used before leaves its values behind. */
            source_set_id?: number | null;
            /**
             * @description `lz4`, `zstd`, `zlib`, `lzma` or `none`. All but `lz4` and `none` accept a level: `zstd,10`. Before it may stand `obfuscate,110,` (or another number from 1 to 6 or 110 to 123) and `auto,`.
             * @default lz4
             * @example lz4
             */
            compression?: string;
            /**
             * @description Absolute paths; full mode requires at least one.
             * @default []
             * @example [
             *       "/home"
             *     ]
             */
            source_directories?: string[];
            /** @default [] */
            exclude_patterns?: string[];
            /** @default 300 */
            hook_timeout?: number;
            /** @default 300 */
            pre_hook_timeout?: number;
            /** @default 300 */
            post_hook_timeout?: number;
            /** @default false */
            continue_on_hook_failure?: boolean;
            /** @default full */
            mode?: components["schemas"]["RepositoryMode"];
            /**
             * @description Observe mode only.
             * @default false
             */
            bypass_lock?: boolean;
            /**
             * @description Maximum age of the newest archive, in hours. Null: derived from the enabled schedules.
             * @example 26
             */
            freshness_hours?: number | null;
            /**
             * @description A backup ends with a warning if its files or bytes shrank by more than this since the last complete backup. 0: never.
             * @default 90
             * @example 50
             */
            shrink_warning_percent?: number;
            /**
             * @description What was backed up before the repository was taken over here, and is not now. Null when it is solved.
             * @example [
             *       "databases"
             *     ]
             */
            left_out?: string[] | null;
        } & {
            [key: string]: unknown;
        };
        RepositoriesListAnswer: {
            /** @enum {boolean} */
            success: true;
            repositories: components["schemas"]["RepositoryView"][];
        };
        RepositoriesUpdateBody: {
            remote_path?: string | null;
            pre_backup_script?: string | null;
            post_backup_script?: string | null;
            /**
             * @description Additional flags for the command that creates archives. At most 65,536 characters.
             * @example --one-file-system
             */
            custom_flags?: string | null;
            /** @description SSH connection to the host of the repository. */
            connection_id?: number | null;
            /** @description SSH connection to the host whose `source_directories` are backed up. None: this machine. */
            source_connection_id?: number | null;
            /** @description Source set that `source_directories`, `exclude_patterns` and `source_connection_id` come from; they cannot be set beside it. Null: a set that was used before leaves its values behind. */
            source_set_id?: number | null;
            name?: string;
            /**
             * @description Absolute, or relative to the data directory. With `connection_id`: absolute on that host, or relative to the home directory with a leading `./`; responses show it as `ssh://user@host:port/path`. No `..` or empty segments.
             * @example /backups/home
             */
            path?: string;
            /**
             * @description `lz4`, `zstd`, `zlib`, `lzma` or `none`. All but `lz4` and `none` accept a level: `zstd,10`. Before it may stand `obfuscate,110,` (or another number from 1 to 6 or 110 to 123) and `auto,`.
             * @example lz4
             */
            compression?: string;
            /**
             * @description Absolute paths; full mode requires at least one.
             * @example [
             *       "/home"
             *     ]
             */
            source_directories?: string[];
            exclude_patterns?: string[];
            hook_timeout?: number;
            pre_hook_timeout?: number;
            post_hook_timeout?: number;
            continue_on_hook_failure?: boolean;
            mode?: components["schemas"]["RepositoryMode"];
            bypass_lock?: boolean;
            /**
             * @description Maximum age of the newest archive, in hours. Null: derived from the enabled schedules.
             * @example 26
             */
            freshness_hours?: number | null;
            /**
             * @description A backup ends with a warning if its files or bytes shrank by more than this since the last complete backup. 0: never.
             * @example 50
             */
            shrink_warning_percent?: number;
            /**
             * @description What was backed up before the repository was taken over here, and is not now. Null when it is solved.
             * @example [
             *       "databases"
             *     ]
             */
            left_out?: string[] | null;
        } & {
            [key: string]: unknown;
        };
        RepositoriesUploadKeyFileAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            keyfile_name: string;
        };
        RepositoriesUploadKeyFileBody: {
            /**
             * Format: binary
             * @description At most 64 KB.
             */
            keyfile: string | null;
        };
        RepositoryHistory: {
            /** @enum {boolean} */
            success: true;
            repository_id: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            to: string;
            /** @description All archives that exist now. */
            archive_count: number;
            archives: components["schemas"]["HistoryArchive"][];
            samples: components["schemas"]["HistorySample"][];
            /** @description There are more archives or samples: request them with a larger `offset`. */
            truncated: boolean;
        };
        /** @enum {string} */
        RepositoryMode: "full" | "observe";
        RepositoryProtection: {
            id: number;
            name: string;
            path: string;
            /**
             * @description late: the newest archive is older than promised. unknown: cannot be determined, or damage was found.
             * @enum {string}
             */
            status: "protected" | "late" | "unknown";
            /**
             * @description Human-readable reasons, the deciding one first.
             * @example [
             *       "The newest archive is 30.5 h old; the objective is 26 h."
             *     ]
             */
            reasons: string[];
            /**
             * @description Of `reasons`, in the same order.
             * @example [
             *       {
             *         "code": "protection_age_and_objective",
             *         "params": {
             *           "age": "30.5 h",
             *           "promised": "26 h"
             *         }
             *       }
             *     ]
             */
            reason_codes: {
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                code: string;
                /** @description The values in the sentence, by name. */
                params: {
                    [key: string]: string | number | string[];
                };
            }[];
            /**
             * Format: date-time
             * @description Start time of the newest archive.
             * @example 2026-03-01T02:00:00.000Z
             */
            newest_archive: string | null;
            newest_archive_age_hours: number | null;
            /** @description The objective, if one is set. */
            freshness_hours: number | null;
            /** @description Maximum age of the newest archive. */
            promised_hours: number | null;
            /** @enum {string|null} */
            promised_by: "objective" | "schedule" | null;
            /** @description Name of the schedule that sets this maximum age. */
            promising_schedule: string | null;
            /**
             * Format: date-time
             * @description When the newest archive becomes or became too old.
             * @example 2026-03-01T02:00:00.000Z
             */
            protected_until: string | null;
            /** @description A check found damage, and no full check has passed since. */
            damaged: boolean;
            /**
             * Format: date-time
             * @description When the list of archives was last read.
             * @example 2026-03-01T02:00:00.000Z
             */
            archives_as_of: string | null;
            /**
             * Format: date-time
             * @description When a drill last restored files and found all of them as they were saved.
             * @example 2026-03-01T02:00:00.000Z
             */
            last_verified_restore: string | null;
            /**
             * @description How many percent of the bytes of the archive that was drilled last were proved in the last 90 days. Null without a drill.
             * @example 41.5
             */
            coverage_percent: number | null;
        };
        RepositorySearch: {
            /** @enum {boolean} */
            success: true;
            items: {
                name: string;
                path: string;
                /** @enum {boolean} */
                name_escaped?: true;
                versions: {
                    /** @enum {string} */
                    type: "directory" | "file" | "symlink" | "other";
                    size: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    mtime: string | null;
                    archives: string[];
                }[];
            }[];
            /** @description More than `limit` paths match, or the search timed out. */
            truncated: boolean;
            /** @description With `cached_only`: archives whose listing is not cached. Also archives that were not fully searched because the search timed out. */
            not_searched: string[];
        };
        RepositoryTested: {
            success: boolean;
            opens: boolean;
            message: string;
            /** @description Human-readable reason why it does not open. */
            reason: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            reason_code: string | null;
            /** @description The values in the sentence, by name. */
            reason_params: {
                [key: string]: string | number | string[];
            };
            /**
             * @description Machine-readable reason.
             * @example passphrase_wrong
             */
            code: string | null;
        };
        RepositoryView: {
            id: number;
            name: string;
            path: string;
            /** @enum {string} */
            encryption: "repokey" | "keyfile" | "repokey-blake2" | "keyfile-blake2" | "none" | "authenticated" | "authenticated-blake2";
            compression: string;
            source_directories: string[];
            exclude_patterns: string[];
            /** @enum {string} */
            repository_type: "local" | "ssh";
            host: string | null;
            port: number | null;
            username: string | null;
            ssh_key_id: number | null;
            connection_id: number | null;
            source_ssh_connection_id: number | null;
            /** @description Source set that the sources and the exclude patterns come from. */
            source_set_id: number | null;
            remote_path: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_backup: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_check: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_compact: string | null;
            /**
             * @description Compressed, deduplicated size on disk; null until known.
             * @example 1.59 GB
             */
            total_size: string | null;
            /** @description `total_size` in bytes. */
            total_size_bytes: number | null;
            /** @description Free space where the repository lies, as last seen: after its last backup, prune or compact; on another host when the storage of its connection was last read. Null until known. */
            free_bytes: number | null;
            /** @description Used and free space there together. */
            location_total_bytes: number | null;
            /**
             * Format: date-time
             * @description When the free space was last seen.
             * @example 2026-03-01T02:00:00.000Z
             */
            location_as_of: string | null;
            archive_count: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            /** @description `***` unless the caller is an administrator. Sending `***` back does not change it. */
            pre_backup_script: string | null;
            /** @description `***` unless the caller is an administrator. Sending `***` back does not change it. */
            post_backup_script: string | null;
            hook_timeout: number;
            pre_hook_timeout: number;
            post_hook_timeout: number;
            continue_on_hook_failure: boolean;
            mode: components["schemas"]["RepositoryMode"];
            bypass_lock: boolean;
            custom_flags: string | null;
            freshness_hours: number | null;
            shrink_warning_percent: number;
            /** @example null */
            left_out: string[] | null;
            has_running_maintenance: boolean;
            has_keyfile: boolean;
            /** @description It holds the copies of this service itself. */
            own_backup: boolean;
            /** @description Why the backup tool could not open it at the last attempt; null if it opened. */
            open_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            open_error_code: string | null;
            /** @description The values in the sentence, by name. */
            open_error_params: {
                [key: string]: string | number | string[];
            };
            /**
             * Format: date-time
             * @description Since when it cannot be opened.
             * @example 2026-03-01T02:00:00.000Z
             */
            open_error_at: string | null;
            /** @description As of the last compact: removed archives keep their space (borg serve --append-only, or its config). */
            append_only: boolean;
            /** @description Archives that are known to lack a valid signature, while the installed borg still reads them: see `sign-archives`. */
            unsigned_archives: number;
            /** @description The reason as one word: `passphrase_wrong`, `key_missing`, `repository_missing`, `not_a_repository`, `other_repository`, `older_state` (put back from a copy: accept its identity), `archive_unsigned` (sign the archives); and, while it can be read but not written, `no_space`, `quota` or `repository_quota`. */
            open_error_kind: string | null;
        };
        RepositoryWritten: {
            /** @enum {boolean} */
            success: true;
            message: string;
            repository: components["schemas"]["RepositoryView"];
            warnings?: string[];
        };
        RestoreCancelAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            process_terminated: boolean;
        };
        RestoreInput: {
            repository?: string | number;
            repository_id?: number;
            archive: string;
            /**
             * @description Paths inside the archive, each including everything below it. None: the whole archive.
             * @default []
             * @example [
             *       "home/ann/letters"
             *     ]
             */
            paths?: string[];
            /**
             * @description Absolute folder, created if missing. "/" restores in place.
             * @example /srv/restored
             */
            destination: string;
            /** @description SSH connection to the host of the destination. None: this machine. */
            destination_connection_id?: number | null;
            /**
             * @description Number of leading segments to remove from each path.
             * @default 0
             */
            strip_components?: number;
            /**
             * @description `whole_path`: everything keeps its path in the archive. `selection`: the folders above all chosen paths are left out. Instead of strip_components.
             * @example selection
             * @enum {string}
             */
            layout?: "whole_path" | "selection";
            /**
             * @description Replaces existing files, links and other non-directories. Directories are merged, never replaced.
             * @default false
             */
            overwrite?: boolean;
            /**
             * @description Leaves existing files alone and restores the rest.
             * @default false
             */
            skip_existing?: boolean;
            /**
             * @description `numbers`: each file belongs to the numbers of its owner in the archive. `names`: to the user and group of the same name at the destination, where there are any. Only root can set owners.
             * @default numbers
             * @enum {string}
             */
            owners?: "numbers" | "names";
            /**
             * @description Starts although the files may need more space than is free: files with holes need less.
             * @default false
             */
            accept_low_space?: boolean;
        };
        RestoreJobView: {
            id: number;
            repository: string;
            repository_id: number | null;
            repository_name: string;
            archive: string;
            destination: string;
            destination_connection_id: number | null;
            /** @description `user@host`; null: this machine. */
            destination_host: string | null;
            paths: string[];
            overwrite: boolean;
            skip_existing: boolean;
            strip_components: number;
            status: components["schemas"]["JobStatus"];
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            progress_details: {
                nfiles: number;
                current_file: string;
                progress_percent: number;
                restore_speed: number;
                estimated_time_remaining: number;
            };
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            restored: number | null;
            replaced: number | null;
            kept: number | null;
            restored_bytes: number | null;
            /** @description Counted like the plan: what was chosen, without the folders above it; with folders that existed, without what was kept or left out. `restored` also counts the folders above. */
            by_type: {
                files: number;
                directories: number;
                links: number;
                others: number;
            } | null;
        };
        RestoreJobsAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["RestoreJobView"][];
        };
        RestoreManifest: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            status: components["schemas"]["JobStatus"];
            entries: components["schemas"]["RestoreManifestEntry"][];
            total: number;
            has_more: boolean;
        };
        RestoreManifestEntry: {
            path: string;
            /** @enum {boolean} */
            name_escaped?: true;
            /** @enum {string} */
            type: "file" | "directory" | "symlink" | "other";
            /**
             * @description `kept`: nothing was written there. `merged`: an existing directory.
             * @enum {string}
             */
            result: "restored" | "replaced" | "kept" | "merged";
            /**
             * @description A file that was not restored completely, or whose data is damaged in the repository.
             * @enum {boolean}
             */
            left_out?: true;
            size: number;
        };
        RestorePlanView: {
            /** @enum {boolean} */
            success: true;
            plan_id: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            expires_at: string;
            can_start: boolean;
            /** @description What prevents a start; empty if nothing does. */
            obstacles: string[];
            /** @description Of `obstacles`, in the same order. */
            obstacle_codes: {
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                code: string;
                /** @description The values in the sentence, by name. */
                params: {
                    [key: string]: string | number | string[];
                };
            }[];
            repository: string;
            repository_id: number;
            archive: string;
            archive_id: string;
            destination: string;
            destination_connection_id: number | null;
            /** @description `user@host`; null: this machine. */
            destination_host: string | null;
            files: number;
            directories: number;
            links: number;
            others: number;
            bytes: number;
            free_bytes: number;
            /** @description Files whose data is damaged in the repository. They are left out; with overwrite they prevent the restore. */
            damaged_files: number;
            /** @description Entries that are left out because strip_components leaves no name. */
            without_name: number;
            collisions: {
                count: number;
                /** @description The first 20. */
                examples: {
                    path: string;
                    /** @enum {boolean} */
                    name_escaped?: true;
                    /** @enum {string} */
                    there: "file" | "other";
                }[];
            };
            blocked: {
                count: number;
                /** @description The first 20. */
                examples: {
                    path: string;
                    /** @enum {boolean} */
                    name_escaped?: true;
                    reason: string;
                }[];
            };
            /** @description Symlinks that point outside the destination. They are restored unchanged. */
            links_leaving: {
                count: number;
                /** @description The first 20. */
                examples: {
                    path: string;
                    /** @enum {boolean} */
                    name_escaped?: true;
                    target: string;
                }[];
            };
            owners: {
                /** @description False: all files will belong to the user that runs the service. */
                can_be_set: boolean;
                /**
                 * @description As asked in `owners`.
                 * @enum {string}
                 */
                by: "numbers" | "names";
                owners: {
                    owner: string;
                    count: number;
                    /**
                     * @description Its numbers in the archive.
                     * @example 1000:1000
                     */
                    ids: string;
                    /** @description The names of these numbers at the destination. */
                    names_there: string | null;
                    /** @description The numbers of these names at the destination. */
                    ids_there: string | null;
                }[];
            };
            /** @description What the file system of the destination cannot keep. */
            not_kept: ("owners" | "modes" | "symlinks" | "hard_links" | "case" | "names")[];
            /** @description What to know before the start; none prevents it. */
            remarks: string[];
            /** @description Of `remarks`, in the same order. */
            remark_codes: {
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                code: string;
                /** @description The values in the sentence, by name. */
                params: {
                    [key: string]: string | number | string[];
                };
            }[];
        };
        RestoreStartAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        RestoreStartInput: {
            /** Format: uuid */
            plan_id?: string;
            repository?: string | number;
            repository_id?: number;
            archive?: string;
            /**
             * @description Paths inside the archive, each including everything below it. None: the whole archive.
             * @default []
             * @example [
             *       "home/ann/letters"
             *     ]
             */
            paths?: string[];
            /**
             * @description Absolute folder, created if missing. "/" restores in place.
             * @example /srv/restored
             */
            destination?: string;
            /** @description SSH connection to the host of the destination. None: this machine. */
            destination_connection_id?: number | null;
            /**
             * @description Number of leading segments to remove from each path.
             * @default 0
             */
            strip_components?: number;
            /**
             * @description `whole_path`: everything keeps its path in the archive. `selection`: the folders above all chosen paths are left out. Instead of strip_components.
             * @example selection
             * @enum {string}
             */
            layout?: "whole_path" | "selection";
            /**
             * @description Replaces existing files, links and other non-directories. Directories are merged, never replaced.
             * @default false
             */
            overwrite?: boolean;
            /**
             * @description Leaves existing files alone and restores the rest.
             * @default false
             */
            skip_existing?: boolean;
            /**
             * @description `numbers`: each file belongs to the numbers of its owner in the archive. `names`: to the user and group of the same name at the destination, where there are any. Only root can set owners.
             * @default numbers
             * @enum {string}
             */
            owners?: "numbers" | "names";
            /**
             * @description Starts although the files may need more space than is free: files with holes need less.
             * @default false
             */
            accept_low_space?: boolean;
        };
        RestoreStatusAnswer: {
            id: number;
            repository: string;
            repository_id: number | null;
            repository_name: string;
            archive: string;
            destination: string;
            destination_connection_id: number | null;
            /** @description `user@host`; null: this machine. */
            destination_host: string | null;
            paths: string[];
            overwrite: boolean;
            skip_existing: boolean;
            strip_components: number;
            status: components["schemas"]["JobStatus"];
            requested_by: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            progress: number;
            progress_details: {
                nfiles: number;
                current_file: string;
                progress_percent: number;
                restore_speed: number;
                estimated_time_remaining: number;
            };
            progress_message: string | null;
            error_message: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            waiting_for: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            waiting_for_code: string | null;
            /** @description The values in the sentence, by name. */
            waiting_for_params: {
                [key: string]: string | number | string[];
            };
            has_logs: boolean;
            restored: number | null;
            replaced: number | null;
            kept: number | null;
            restored_bytes: number | null;
            /** @description Counted like the plan: what was chosen, without the folders above it; with folders that existed, without what was kept or left out. `restored` also counts the folders above. */
            by_type: {
                files: number;
                directories: number;
                links: number;
                others: number;
            } | null;
            /** @enum {boolean} */
            success: true;
            /** @description The last 1000 lines of the log, joined; null if there are none. */
            logs: string | null;
        };
        ResumeAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            /** @description Where retention was paused until now. */
            repository_ids: number[];
        };
        ResumeInput: {
            /** @description Without it: all of the schedule. */
            repository_id?: number | null;
        };
        /** @enum {string} */
        RunOn: "always" | "success" | "failure" | "warning";
        RunningJobs: {
            /** @enum {boolean} */
            success: true;
            has_running_jobs: boolean;
            check_job: {
                id: number;
                progress: number;
                progress_message: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                started_at: string | null;
            } | null;
            compact_job: {
                id: number;
                progress: number;
                progress_message: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                started_at: string | null;
            } | null;
            prune_job: {
                id: number;
                progress: number;
                progress_message: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                started_at: string | null;
            } | null;
        };
        SavedSheet: {
            /** @description Its place and passphrase are on a sheet that the user saved. */
            repository_id: number;
        };
        ScheduleRun: {
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            planned_at: string;
            /** @enum {string} */
            trigger: "schedule" | "run_now";
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            completed_at: string | null;
            late_seconds: number | null;
            /**
             * @description `missed`: the service was down. `skipped`: an earlier run was still pending. `refused`: it could not run. `disabled`: the schedule was disabled.
             * @enum {string}
             */
            outcome: "running" | "completed" | "completed_with_warnings" | "failed" | "cancelled" | "missed" | "skipped" | "refused" | "disabled";
            reason: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            reason_code: string | null;
            /** @description The values in the sentence, by name. */
            reason_params: {
                [key: string]: string | number | string[];
            };
            job_ids: number[];
            /** @description More than 1 if one entry covers several planned runs. */
            count: number;
        };
        ScheduleView: {
            id: number;
            name: string;
            /** @description Empty if the schedule runs only by hand. */
            cron_expression: string;
            /** @description It has no cron expression and so no next run. */
            by_hand_only: boolean;
            timezone: string;
            /**
             * @description What to do about runs that were missed while the service was down: one run for all of them, or none.
             * @enum {string}
             */
            catch_up: "one" | "none";
            /** @description Path of the repository if there is exactly one. */
            repository: string | null;
            /** @description Set if there is exactly one. */
            repository_id: number | null;
            repository_ids: number[];
            enabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_run: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            description: string | null;
            archive_name_template: string | null;
            run_repository_scripts: boolean;
            pre_backup_script_id: number | null;
            post_backup_script_id: number | null;
            pre_backup_script_parameters: {
                [key: string]: unknown;
            } | null;
            post_backup_script_parameters: {
                [key: string]: unknown;
            } | null;
            run_prune_after: boolean;
            run_compact_after: boolean;
            prune_keep_hourly: number;
            prune_keep_daily: number;
            prune_keep_weekly: number;
            prune_keep_monthly: number;
            prune_keep_quarterly: number;
            prune_keep_yearly: number;
            prune_keep_within: string | null;
            /**
             * @description `keeps_everything`: `run_prune_after` is off, so no archive is ever removed.
             * @enum {string}
             */
            retention: "prunes" | "keeps_everything";
            /** @description Repositories in which the schedule removes nothing until somebody calls `resume-retention`, because a source was missing or empty, or most of the data was gone. */
            retention_paused: {
                repository_id: number;
                repository_name: string;
                reason: string;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                reason_code: string | null;
                /** @description The values in the sentence, by name. */
                reason_params: {
                    [key: string]: string | number | string[];
                };
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                since: string;
                /** @description The backup job that it was paused after. */
                job_id: number;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_prune: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_compact: string | null;
            /** @description Why it could not run, or what failed during the last run. */
            last_error: string | null;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            last_error_code: string | null;
            /** @description The values in the sentence, by name. */
            last_error_params: {
                [key: string]: string | number | string[];
            };
        };
        ScheduleWritten: {
            /** @enum {boolean} */
            success: true;
            message: string;
            job: components["schemas"]["ScheduleView"];
            warnings?: string[];
        };
        SchedulesAdoptBody: {
            repository_id: number;
            /** @description Names, or ids of the backup tool. */
            archives?: string[];
            /**
             * @description Part of the names: `*`, `?`, `[abc]`, `{one,other}`.
             * @example nas-*
             */
            pattern?: string;
            /**
             * @description Only reports what would be adopted.
             * @default false
             */
            dry_run?: boolean;
        };
        SchedulesCreateBody: {
            name: string;
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Empty or null: only by hand.
             * @example 0 2 * * *
             */
            cron_expression: string | null;
            /**
             * @description IANA name of the time zone of the cron expression. Default: the time zone of the service (`TZ`); answers name it.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description What to do about runs that were missed while the service was down: one run for all of them, or none.
             * @default one
             * @enum {string}
             */
            catch_up?: "one" | "none";
            /** @description Repositories to back up, in this order. Duplicates are ignored. */
            repository_ids?: number[] | null;
            repository_id?: number | null;
            /** @description Path of one repository. */
            repository?: (string | null) | number;
            description?: string | null;
            /** @example {job_name}-{repo_name}-{now} */
            archive_name_template?: string | null;
            pre_backup_script_id?: number | null;
            post_backup_script_id?: number | null;
            pre_backup_script_parameters?: {
                [key: string]: unknown;
            } | null;
            post_backup_script_parameters?: {
                [key: string]: unknown;
            } | null;
            /** @default true */
            enabled?: boolean;
            /** @default false */
            run_repository_scripts?: boolean;
            /** @default false */
            run_prune_after?: boolean;
            /** @default false */
            run_compact_after?: boolean;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 0
             */
            prune_keep_hourly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 7
             */
            prune_keep_daily?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 4
             */
            prune_keep_weekly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 6
             */
            prune_keep_monthly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 0
             */
            prune_keep_quarterly?: number;
            /**
             * @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit.
             * @default 1
             */
            prune_keep_yearly?: number;
            /**
             * @description Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.
             * @example 2d
             */
            prune_keep_within?: string | null;
        } & {
            [key: string]: unknown;
        };
        SchedulesCronPresetsAnswer: {
            /** @enum {boolean} */
            success: true;
            presets: {
                name: string;
                expression: string;
                description: string;
            }[];
        };
        SchedulesGetAnswer: {
            /** @enum {boolean} */
            success: true;
            job: {
                id: number;
                name: string;
                /** @description Empty if the schedule runs only by hand. */
                cron_expression: string;
                /** @description It has no cron expression and so no next run. */
                by_hand_only: boolean;
                timezone: string;
                /**
                 * @description What to do about runs that were missed while the service was down: one run for all of them, or none.
                 * @enum {string}
                 */
                catch_up: "one" | "none";
                /** @description Path of the repository if there is exactly one. */
                repository: string | null;
                /** @description Set if there is exactly one. */
                repository_id: number | null;
                repository_ids: number[];
                enabled: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                last_run: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                next_run: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                updated_at: string;
                description: string | null;
                archive_name_template: string | null;
                run_repository_scripts: boolean;
                pre_backup_script_id: number | null;
                post_backup_script_id: number | null;
                pre_backup_script_parameters: {
                    [key: string]: unknown;
                } | null;
                post_backup_script_parameters: {
                    [key: string]: unknown;
                } | null;
                run_prune_after: boolean;
                run_compact_after: boolean;
                prune_keep_hourly: number;
                prune_keep_daily: number;
                prune_keep_weekly: number;
                prune_keep_monthly: number;
                prune_keep_quarterly: number;
                prune_keep_yearly: number;
                prune_keep_within: string | null;
                /**
                 * @description `keeps_everything`: `run_prune_after` is off, so no archive is ever removed.
                 * @enum {string}
                 */
                retention: "prunes" | "keeps_everything";
                /** @description Repositories in which the schedule removes nothing until somebody calls `resume-retention`, because a source was missing or empty, or most of the data was gone. */
                retention_paused: {
                    repository_id: number;
                    repository_name: string;
                    reason: string;
                    /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                    reason_code: string | null;
                    /** @description The values in the sentence, by name. */
                    reason_params: {
                        [key: string]: string | number | string[];
                    };
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    since: string;
                    /** @description The backup job that it was paused after. */
                    job_id: number;
                }[];
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                last_prune: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                last_compact: string | null;
                /** @description Why it could not run, or what failed during the last run. */
                last_error: string | null;
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                last_error_code: string | null;
                /** @description The values in the sentence, by name. */
                last_error_params: {
                    [key: string]: string | number | string[];
                };
                next_runs: string[];
            };
        };
        SchedulesListAnswer: {
            /** @enum {boolean} */
            success: true;
            jobs: components["schemas"]["ScheduleView"][];
        };
        SchedulesPreviewBody: {
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Empty or null: only by hand.
             * @example 0 2 * * *
             */
            cron_expression?: string | null;
            /**
             * @description IANA name of the time zone of the cron expression. Default: the time zone of the service (`TZ`); answers name it.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_hourly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_daily?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_weekly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_monthly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_quarterly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_yearly?: number;
            /**
             * @description Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.
             * @example 2d
             */
            prune_keep_within?: string | null;
            /** @description Without it, only the next runs. */
            repository_id?: number | null;
            /** @description Only archives that belong to this schedule; rules that are absent are those of the schedule. Without it: all archives of the repository, as if they all belonged to one schedule. */
            schedule_id?: number | null;
            /**
             * @description Answers `simulation`, too.
             * @default false
             */
            simulate?: boolean;
        } & {
            [key: string]: unknown;
        };
        SchedulesReleaseBody: {
            repository_id: number;
            /** @description Names, or ids of the backup tool. */
            archives?: string[];
            /**
             * @description Part of the names: `*`, `?`, `[abc]`, `{one,other}`.
             * @example nas-*
             */
            pattern?: string;
        };
        SchedulesRunNowAnswer: {
            /** @enum {boolean} */
            success: true;
            job_id: number;
            job_ids: number[];
            /** @enum {string} */
            status: "pending";
            message: string;
        };
        SchedulesRunsAnswer: {
            /** @enum {boolean} */
            success: true;
            runs: components["schemas"]["ScheduleRun"][];
            total: number;
        };
        SchedulesToggleAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            enabled: boolean;
        };
        SchedulesUpcomingJobsAnswer: {
            /** @enum {boolean} */
            success: true;
            upcoming_jobs: components["schemas"]["UpcomingJob"][];
            hours_ahead: number;
        };
        SchedulesUpdateBody: {
            name?: string;
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Empty or null: only by hand.
             * @example 0 2 * * *
             */
            cron_expression?: string | null;
            /**
             * @description IANA name of the time zone of the cron expression.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description What to do about runs that were missed while the service was down: one run for all of them, or none.
             * @enum {string}
             */
            catch_up?: "one" | "none";
            /** @description Repositories to back up, in this order. Duplicates are ignored. */
            repository_ids?: number[] | null;
            repository_id?: number | null;
            /** @description Path of one repository. */
            repository?: (string | null) | number;
            description?: string | null;
            /** @example {job_name}-{repo_name}-{now} */
            archive_name_template?: string | null;
            pre_backup_script_id?: number | null;
            post_backup_script_id?: number | null;
            pre_backup_script_parameters?: {
                [key: string]: unknown;
            } | null;
            post_backup_script_parameters?: {
                [key: string]: unknown;
            } | null;
            enabled?: boolean;
            run_repository_scripts?: boolean;
            run_prune_after?: boolean;
            run_compact_after?: boolean;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_hourly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_daily?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_weekly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_monthly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_quarterly?: number;
            /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
            prune_keep_yearly?: number;
            /**
             * @description Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.
             * @example 2d
             */
            prune_keep_within?: string | null;
        } & {
            [key: string]: unknown;
        };
        SchedulesValidateCronAnswer: {
            /** @enum {boolean} */
            success: true;
            cron_expression: string;
            next_runs: string[];
            description: string;
        } | {
            /** @enum {boolean} */
            success: false;
            error: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            error_code: string | null;
            /** @description The values in the sentence, by name. */
            error_params: {
                [key: string]: string | number | string[];
            };
            cron_expression: string;
        };
        SchedulesValidateCronBody: {
            /** @default * */
            minute?: string;
            /** @default * */
            hour?: string;
            /** @default * */
            day_of_month?: string;
            /** @default * */
            month?: string;
            /** @default * */
            day_of_week?: string;
            /** @description All five fields in one; the others are then ignored. */
            cron_expression?: string;
            /** @default UTC */
            timezone?: string;
        };
        ScriptChanges: {
            name?: string;
            description?: string | null;
            content?: string;
            timeout?: number;
            /** @description After which backups the script runs. Before a backup it always runs. */
            run_on?: components["schemas"]["RunOn"];
            /** @description Default: detected in the script, as every name between braces after a dollar sign. */
            parameters?: {
                name: string;
                /**
                 * @default text
                 * @enum {string}
                 */
                type?: "text" | "password";
                /** @default  */
                default?: string;
                /** @default  */
                description?: string;
                /** @default false */
                required?: boolean;
            }[] | null;
        };
        ScriptDetails: {
            id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            category: "custom" | "template";
            /** @description Seconds. */
            timeout: number;
            /** @description After which backups the script runs. Before a backup it always runs. */
            run_on: components["schemas"]["RunOn"];
            parameters: components["schemas"]["ScriptParameter"][];
            /** @description How many times it is attached to a repository. */
            usage_count: number;
            is_template: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            /** @description `***` unless the caller is an administrator. */
            content: string;
            repositories: {
                id: number;
                name: string;
                hook_type: components["schemas"]["HookType"];
                enabled: boolean;
            }[];
            schedules: {
                id: number;
                name: string;
                hook_type: components["schemas"]["HookType"];
            }[];
            recent_executions: {
                id: number;
                repository_id: number | null;
                job_id: number | null;
                hook_type: components["schemas"]["HookType"];
                /** @enum {string} */
                status: "running" | "completed" | "failed";
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                started_at: string;
                exit_code: number | null;
                /** @description Seconds. */
                execution_time: number | null;
            }[];
        };
        ScriptParameter: {
            name: string;
            /** @enum {string} */
            type: "text" | "password";
            default: string;
            description: string;
            required: boolean;
        };
        ScriptResult: {
            /** @description The script exited with code 0. */
            success: boolean;
            /** @description -1 if the script did not start or timed out. */
            exit_code: number;
            stdout: string;
            stderr: string;
            /** @description Seconds. */
            execution_time: number;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
        };
        ScriptTest: {
            /**
             * @example {
             *       "CONTAINER": "database"
             *     }
             */
            parameter_values?: {
                [key: string]: unknown;
            } | null;
            timeout?: number;
            /** @description Sets the environment variables of this repository. */
            repository_id?: number | null;
        };
        ScriptView: {
            id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            category: "custom" | "template";
            /** @description Seconds. */
            timeout: number;
            /** @description After which backups the script runs. Before a backup it always runs. */
            run_on: components["schemas"]["RunOn"];
            parameters: components["schemas"]["ScriptParameter"][];
            /** @description How many times it is attached to a repository. */
            usage_count: number;
            is_template: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
        };
        ScriptsAttachAnswer: {
            /** @enum {boolean} */
            success: true;
            id: number;
            attachment: components["schemas"]["AttachmentView"];
        };
        ScriptsCleanUpOrphansAnswer: {
            /** @enum {boolean} */
            success: true;
            cleaned_up: number;
            message: string;
        };
        ScriptsGetAttachmentAnswer: {
            /** @enum {boolean} */
            success: true;
            attachment: components["schemas"]["AttachmentView"];
        };
        ScriptsListAttachmentsAnswer: {
            pre_backup: components["schemas"]["AttachmentView"][];
            post_backup: components["schemas"]["AttachmentView"][];
        };
        ScriptsUpdateAttachmentAnswer: {
            /** @enum {boolean} */
            success: true;
            id: number;
            attachment: components["schemas"]["AttachmentView"];
        };
        SearchEverywhere: {
            /** @enum {boolean} */
            success: true;
            /** @description Only repositories with matches, or with archives that were not searched. */
            repositories: {
                items: {
                    name: string;
                    path: string;
                    /** @enum {boolean} */
                    name_escaped?: true;
                    versions: {
                        /** @enum {string} */
                        type: "directory" | "file" | "symlink" | "other";
                        size: number;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T02:00:00.000Z
                         */
                        mtime: string | null;
                        archives: string[];
                    }[];
                }[];
                /** @description More than `limit` paths match, or the search timed out. */
                truncated: boolean;
                /** @description With `cached_only`: archives whose listing is not cached. Also archives that were not fully searched because the search timed out. */
                not_searched: string[];
                repository_id: number;
                repository_name: string;
                /** @description When the archives began that match or were not searched. */
                archives: {
                    name: string;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T02:00:00.000Z
                     */
                    start: string;
                }[];
            }[];
        };
        Sentence: {
            /**
             * @description Identifies the sentence, whatever its wording. See the page on messages.
             * @example attention_late
             */
            code: string;
            /**
             * @description The values in the sentence, by name.
             * @example {
             *       "name": "Home"
             *     }
             */
            params: {
                [key: string]: string | number | string[];
            };
            /** @example The newest archive is 9.5 h old; the objective is 26 h. */
            text: string;
        };
        SessionView: {
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /**
             * @description Seconds.
             * @example 86400
             */
            expires_in: number;
            must_change_password: boolean;
        };
        SettingsDocument: {
            /** @enum {string} */
            format: "holdfast-settings";
            /** @enum {number} */
            version: 1;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            made_at?: string;
            made_by?: string;
        } & {
            [key: string]: unknown;
        };
        SettingsExported: {
            /** @enum {boolean} */
            success: true;
            /**
             * @description Sections with a list of objects each. Objects name each other by ids of the backup tool, names and addresses, never by ids of this service.
             * @example {
             *       "format": "holdfast-settings",
             *       "version": 1,
             *       "source_sets": []
             *     }
             */
            document: components["schemas"]["SettingsDocument"];
        };
        SettingsImport: {
            /**
             * @description As GET or POST /api/settings/export answers it.
             * @example {
             *       "format": "holdfast-settings",
             *       "version": 1,
             *       "source_sets": []
             *     }
             */
            document?: unknown;
            /**
             * Format: password
             * @description Opens sealed secrets. Without it, they are left out.
             */
            seal_passphrase?: string;
            /**
             * @description Lets other folders take the place of those that a repository or source set backs up now. Without it, such an object is refused.
             * @default false
             */
            replace_sources?: boolean;
            /**
             * @description Only plans; nothing is changed.
             * @default false
             */
            dry_run?: boolean;
        };
        SettingsImported: {
            /** @enum {boolean} */
            success: true;
            dry_run: boolean;
            message: string;
            counts: components["schemas"]["ImportCounts"];
            objects: components["schemas"]["ImportedObject"][];
            /** @description Of `remarks`, in the same order. */
            remark_codes: {
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                code: string;
                /** @description The values in the sentence, by name. */
                params: {
                    [key: string]: string | number | string[];
                };
            }[];
            /**
             * @description What was stored but does not work yet.
             * @example [
             *       "The cache can not be reached. The previous settings stay in use."
             *     ]
             */
            remarks: string[];
        };
        /** @enum {string} */
        SheetFormat: "pdf" | "text" | "json";
        SheetOrder: {
            /** @default pdf */
            format?: components["schemas"]["SheetFormat"];
            /**
             * @description Shows passphrases and keys.
             * @default false
             */
            secrets?: boolean;
            /**
             * @description Encrypts the file.
             * @example a long passphrase
             */
            seal_passphrase?: string;
        };
        SheetState: {
            /** @enum {boolean} */
            success: true;
            /** @enum {string} */
            state: "never" | "current" | "outdated";
            /**
             * Format: date-time
             * @description Of the last sheet with secrets.
             * @example 2026-03-01T02:00:00.000Z
             */
            made_at: string | null;
            /** @description Null: the command line, or no one yet. */
            made_by: string | null;
            /** @description Why a new one is needed; null when it is not. */
            reason: components["schemas"]["Sentence"] | null;
        };
        Snooze: {
            /**
             * Format: date-time
             * @description At most a year ahead.
             * @example 2027-03-09T08:00:00Z
             */
            until: string;
            reason: string;
        };
        SourceSetChanges: {
            name?: string;
            /**
             * @description Absolute paths; full mode requires at least one.
             * @example [
             *       "/home"
             *     ]
             */
            source_directories?: string[];
            exclude_patterns?: string[];
            /** @description SSH connection to the host of the directories. None: this machine. */
            source_connection_id?: number | null;
            /** @description Backups of repositories with this set may run at the same time. */
            allow_parallel?: boolean;
        };
        SourceSetView: {
            id: number;
            name: string;
            source_directories: string[];
            exclude_patterns: string[];
            source_connection_id: number | null;
            allow_parallel: boolean;
            /** @description The repositories that use it. */
            repositories: {
                id: number;
                name: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
        };
        SourceSetWritten: {
            /** @enum {boolean} */
            success: true;
            message: string;
            source_set: components["schemas"]["SourceSetView"];
            warnings?: string[];
        };
        SourceSetsGetAnswer: {
            /** @enum {boolean} */
            success: true;
            source_set: components["schemas"]["SourceSetView"];
        };
        SourceSetsListAnswer: {
            /** @enum {boolean} */
            success: true;
            source_sets: components["schemas"]["SourceSetView"][];
        };
        SshKeyChanges: {
            name?: string;
            description?: string | null;
            /** @description A disabled key is not used for any connection. */
            is_active?: boolean;
        };
        SshKeyText: {
            name: string;
            /**
             * Format: password
             * @description OpenSSH or PEM. Never returned.
             */
            private_key: string;
            public_key?: string;
            /**
             * Format: password
             * @description Passphrase of an encrypted private key. Never stored.
             */
            passphrase?: string;
            description?: string | null;
        };
        SshKeyToImport: {
            name: string;
            /**
             * @description OpenSSH or PEM.
             * @example /root/.ssh/id_ed25519
             */
            private_key_path: string;
            /** @description Must match the private key. Default: the private key path plus `.pub`, if that file exists. */
            public_key_path?: string;
            /**
             * Format: password
             * @description Passphrase of an encrypted private key. Never stored.
             */
            passphrase?: string;
            description?: string | null;
        };
        SshKeyView: {
            id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            key_type: "rsa" | "ed25519" | "ecdsa";
            public_key: string;
            fingerprint: string;
            is_system_key: boolean;
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            updated_at: string;
            connection_count: number;
            active_connections: number;
        };
        SshKeysAcceptHostKeyAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            connection: components["schemas"]["ConnectionView"];
        };
        SshKeysBrowseAnswer: {
            /** @enum {boolean} */
            success: true;
            current_path: string;
            parent_path: string | null;
            items: components["schemas"]["RemoteItem"][];
        };
        SshKeysDeployAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
            error: string | null;
            connection: components["schemas"]["ConnectionView"];
        };
        SshKeysGenerateAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            ssh_key: components["schemas"]["SshKeyView"];
        };
        SshKeysGetAnswer: {
            /** @enum {boolean} */
            success: true;
            ssh_key: {
                id: number;
                name: string;
                description: string | null;
                /** @enum {string} */
                key_type: "rsa" | "ed25519" | "ecdsa";
                public_key: string;
                fingerprint: string;
                is_system_key: boolean;
                is_active: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T02:00:00.000Z
                 */
                updated_at: string;
                connection_count: number;
                active_connections: number;
                connections: components["schemas"]["ConnectionView"][];
            };
        };
        SshKeysGetConnectionAnswer: {
            /** @enum {boolean} */
            success: true;
            connection: components["schemas"]["ConnectionView"];
        };
        SshKeysImportAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            ssh_key: components["schemas"]["SshKeyView"];
        };
        SshKeysImportTextAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            ssh_key: components["schemas"]["SshKeyView"];
        };
        SshKeysListAnswer: {
            /** @enum {boolean} */
            success: true;
            ssh_keys: components["schemas"]["SshKeyView"][];
        };
        SshKeysListConnectionsAnswer: {
            /** @enum {boolean} */
            success: true;
            connections: components["schemas"]["ConnectionView"][];
        };
        SshKeysQuickSetupAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            ssh_key: components["schemas"]["SshKeyView"];
            connection?: components["schemas"]["ConnectionView"];
        };
        SshKeysRedeployAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
            error: string | null;
            connection: components["schemas"]["ConnectionView"];
        };
        SshKeysRefreshStorageAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
            storage: components["schemas"]["RemoteStorage"] | null;
        };
        SshKeysSystemKeyAnswer: {
            /** @enum {boolean} */
            success: true;
            exists: boolean;
            ssh_key: components["schemas"]["SshKeyView"] | null;
        };
        SshKeysTestConnectionAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
            error: string | null;
            connection: components["schemas"]["ConnectionView"];
            status: components["schemas"]["ConnectionStatus"];
        };
        SshKeysTestNewConnectionAnswer: {
            success: boolean;
            message: string;
            /** @description Identifies the sentence, whatever its wording. See the page on messages. */
            message_code: string;
            /** @description The values in the sentence, by name. */
            message_params: {
                [key: string]: string | number | string[];
            };
            error: string | null;
            connection: components["schemas"]["ConnectionView"];
        };
        SshKeysUpdateAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            ssh_key: components["schemas"]["SshKeyView"];
        };
        SshKeysUpdateConnectionAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            connection: components["schemas"]["ConnectionView"];
        };
        SuggestedSeries: {
            /**
             * @description What the names of its archives begin with.
             * @example nas-
             */
            prefix: string;
            /**
             * @description For the adoption of its archives.
             * @example nas-*
             */
            pattern: string;
            hostname: string;
            archive_count: number;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            newest_archive: string;
            source_directories: string[];
            exclude_patterns: string[];
            compression: string | null;
            custom_flags: string | null;
            /** @enum {string} */
            sources_confidence: "high" | "medium" | "low";
            rhythm: {
                /** @example about every day at 02:00 */
                description: string;
                /** @example 0 2 * * * */
                cron_expression: string;
                /**
                 * @description IANA name of the time zone of the cron expression.
                 * @example Europe/Berlin
                 */
                timezone: string;
                /** @enum {string} */
                confidence: "high" | "medium" | "low";
                /** @description How many archives it was derived from. */
                archives: number;
            } | null;
            /** @description Counts that keep what is there. Null: nothing seems to have been removed. */
            retention: {
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_hourly: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_daily: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_weekly: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_monthly: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_yearly: number;
                /** @example about 7 daily, 4 weekly */
                description: string;
                /** @enum {string} */
                confidence: "high" | "medium" | "low";
            } | null;
            /** @description What cannot be taken over, or is uncertain. */
            remarks: components["schemas"]["Sentence"][];
            /**
             * @description The command line of the newest archive, word by word.
             * @example [
             *       "/usr/bin/borg",
             *       "create",
             *       "/srv/backups/nas::nas-2026-03-01",
             *       "/home"
             *     ]
             */
            evidence: string[];
        };
        SuggestionsAnswer: {
            /** @enum {boolean} */
            success: true;
            repository_id: number;
            /** @description The newest first; one for each host and prefix. */
            series: components["schemas"]["SuggestedSeries"][];
        };
        SwitchedOff: {
            schedules: {
                id: number;
                name: string;
                /** @description It had no other repository, so it was disabled. */
                disabled: boolean;
            }[];
            /** @description It was checked regularly. */
            check_schedule: boolean;
            /** @description Its restores were drilled regularly. */
            drill_schedule: boolean;
            /** @description Enabled settings that were for this repository alone. */
            notifications: {
                id: number;
                name: string;
            }[];
        };
        SystemHealthAnswer: {
            /** @enum {string} */
            status: "healthy";
            /** @enum {string} */
            service: "holdfast";
            /** @description False while the storage is not working. */
            ready: boolean;
            /**
             * @description One sentence for each component that is not working. The service continues without it.
             * @example []
             */
            degraded: string[];
            /** @description Of `degraded`, in the same order. */
            degraded_codes: {
                /** @description Identifies the sentence, whatever its wording. See the page on messages. */
                code: string;
                /** @description The values in the sentence, by name. */
                params: {
                    [key: string]: string | number | string[];
                };
            }[];
            /**
             * @description One sentence for each safeguard that this machine does not support. Not an error: everything works without it.
             * @example []
             */
            notices: string[];
        };
        SystemInfoAnswer: {
            /** @example 1.64.1 */
            app_version: string;
            /**
             * @description Version line of the backup tool; null if it is missing or does not respond.
             * @example borg 1.2.4
             */
            bk_version: string | null;
            server_version: string;
        };
        SystemPluginsAnswer: {
            /** @enum {boolean} */
            success: true;
            plugins: components["schemas"]["PluginView"][];
        };
        SystemReadyAnswer: {
            /** @enum {string} */
            status: "ready";
        };
        SystemRootAnswer: {
            name: string;
            /**
             * @description Version of the interface that the service implements.
             * @example 1.64.1
             */
            version: string;
            /** @description Version of this release of Holdfast. */
            server_version: string;
            /** @enum {string} */
            docs: "/api/docs";
            /** @enum {string} */
            status: "running";
        };
        TakeOverAnswer: {
            /** @enum {boolean} */
            success: true;
            message: string;
            repository: components["schemas"]["RepositoryView"];
            schedule_id: number;
            adopted_count: number;
            /** @description How many of the adopted the next prune removes. */
            removed_next: number;
            warnings?: string[];
        };
        TakeOverInput: {
            /**
             * @description What made the archives until now no longer does. Required.
             * @default false
             * @example true
             */
            old_scheduler_off?: boolean;
            /**
             * @description `adopt`: they fall under the retention of the schedule, which may remove them. `leave` and `later`: they stay; a schedule can adopt them later.
             * @enum {string}
             */
            old_archives: "adopt" | "leave" | "later";
            /**
             * @description Adopt only archives with such names; without it, all. Required when they are of several hosts or series.
             * @example nas-*
             */
            pattern?: string;
            source_directories: string[];
            /** @default [] */
            exclude_patterns?: string[];
            /**
             * @description `lz4`, `zstd`, `zlib`, `lzma` or `none`. All but `lz4` and `none` accept a level: `zstd,10`. Before it may stand `obfuscate,110,` (or another number from 1 to 6 or 110 to 123) and `auto,`.
             * @default lz4
             * @example lz4
             */
            compression?: string;
            /**
             * @description Additional flags for the command that creates archives. At most 65,536 characters.
             * @example --one-file-system
             */
            custom_flags?: string | null;
            source_connection_id?: number | null;
            /**
             * @description Lets other folders take the place of those that the repository backs up now.
             * @default false
             */
            replace_sources?: boolean;
            schedule: {
                name: string;
                /**
                 * @description Five fields: minute, hour, day of month, month, day of week. Empty or null: only by hand.
                 * @example 0 2 * * *
                 */
                cron_expression: string | null;
                /**
                 * @description IANA name of the time zone of the cron expression. Default: the time zone of the service (`TZ`); answers name it.
                 * @example Europe/Berlin
                 */
                timezone?: string;
                archive_name_template?: string | null;
                /** @default true */
                run_prune_after?: boolean;
                /** @default true */
                run_compact_after?: boolean;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_hourly?: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_daily?: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_weekly?: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_monthly?: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_quarterly?: number;
                /** @description Number of archives to keep, one for each of the newest periods; 0 switches the rule off, -1 keeps one of each period without limit. */
                prune_keep_yearly?: number;
                /**
                 * @description Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.
                 * @example 2d
                 */
                prune_keep_within?: string | null;
            };
        };
        UpcomingJob: {
            id: number;
            name: string;
            /** @description Name of the repository; several names are joined with `, `. */
            repository: string | null;
            repositories: {
                id: number;
                name: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            next_run: string;
            cron_expression: string;
        };
        UserChanges: {
            /**
             * Format: email
             * @example operator@example.org
             */
            email?: string | null;
            is_active?: boolean;
            is_admin?: boolean;
        };
        UserView: {
            id: number;
            username: string;
            email: string | null;
            is_active: boolean;
            is_admin: boolean;
            /** @description Until the password is changed, all routes except those of the own account return 403. */
            must_change_password: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            last_login: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T02:00:00.000Z
             */
            created_at: string;
        };
    };
    responses: {
        /** @description Invalid input: `detail` and `errors` say what to change */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "name must not be empty",
                 *       "errors": [
                 *         {
                 *           "path": "name",
                 *           "message": "must not be empty"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description No valid access token */
        NotSignedIn: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The access token is missing, wrong or no longer valid. Get one from POST /api/auth/login."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The caller may not do this */
        NotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Only administrators may do this."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Not found */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "There is no repository 7."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Wrong method; `Allow` has the right ones */
        WrongMethod: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                Allow: components["headers"]["AllowedMethods"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "PATCH is not offered here. Use one of: GET, HEAD, OPTIONS, PUT."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Conflict with what is there, or busy */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "A repository named Home exists already. Choose another name."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Changed since `If-Match`: get it again */
        ChangedMeanwhile: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "It was changed meanwhile. Read it again and decide anew."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Body too large */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body is larger than this address takes."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Wrong media type */
        WrongMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Send the body as application/json."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many tries; wait for `Retry-After` seconds */
        TooManyTries: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Too many login attempts: wait 30 s and try again."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The URL and the headers are too large */
        TooLongHead: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The URL and the headers are too large."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The server failed; `request_id` finds the reason in its log */
        ServerFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The server failed. Its log has the reason, under the request_id.",
                 *       "request_id": "0b8f2c1e-5d4a-4c57-9a53-7f1f0c2f6f7d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Something that the service needs does not answer */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Holdfast-Version": components["headers"]["ServerVersion"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The storage does not answer. Try again later."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request as it came, or one that was made: it stands in every line of the log.
         * @example 0b8f2c1e-5d4a-4c57-9a53-7f1f0c2f6f7d
         */
        RequestId: string;
        /**
         * @description The version of the server, as `server_version` of GET /api: it changes with an update.
         * @example 0.1.0
         */
        ServerVersion: string;
        /**
         * @description The version of the object, after a change the new one: for `If-Match` of a change, and `If-None-Match`.
         * @example "Zs3Xc4S0mTqkC1bA-l9Xb0m3DqVw4yT2f"
         */
        EntityTag: string;
        /**
         * @description Only when the first call with the same `Idempotency-Key` was answered so; this one did nothing.
         * @example true
         */
        IdempotencyReplayed: "true";
        /**
         * @description The cookie of the session: `HttpOnly`, `SameSite=Strict`, and `Secure` over HTTPS.
         * @example holdfast_session=hfs_…; Max-Age=2592000; Path=/api/auth/session; HttpOnly; SameSite=Strict
         */
        SessionCookie: string;
        /**
         * @description Seconds until a try is worth while, where that is known.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description How to sign in.
         * @example Bearer
         */
        Authenticate: "Bearer";
        /**
         * @description The methods of the address.
         * @example GET, HEAD, OPTIONS, PUT
         */
        AllowedMethods: string;
        /**
         * @description The name of the file; one that is not ASCII as RFC 6266 has it.
         * @example attachment; filename="notes.txt"
         */
        FileName: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    archivesList: {
        parameters: {
            query?: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description 0: all archives, or 100 beside another filter. */
                limit?: number;
                /** @description The `next_before` of a page, for older archives. */
                before?: string;
                /** @description Only archives whose retention is that of this schedule. */
                schedule_id?: number;
                /** @description Part of the name, ignoring case. */
                query?: string;
                /** @description Answers at once from what is known, without asking the backup tool. */
                known_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "archives": [
                     *         {
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "name": "nas-home-2026-03-01T02:00:00",
                     *           "archive": "nas-home-2026-03-01T02:00:00",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "time": "2026-03-01T02:00:00.000Z",
                     *           "end": "2026-03-01T02:00:00.000Z",
                     *           "hostname": "nas",
                     *           "username": "ann",
                     *           "comment": "",
                     *           "original_size": 1706203,
                     *           "compressed_size": 1204117,
                     *           "deduplicated_size": 40231,
                     *           "added_size": null,
                     *           "nfiles": 1042,
                     *           "damaged": false,
                     *           "unsigned": false,
                     *           "made_by": "schedule",
                     *           "schedule_id": null,
                     *           "adopted": false,
                     *           "kept_by": "daily #3"
                     *         }
                     *       ],
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home"
                     *       },
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "next_before": "1772330400000-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesDownload: {
        parameters: {
            query: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Name of the archive, or its id. */
                archive: string;
                /** @description Path inside the archive; `/` is all of it. Repeat it for several, with `format`. */
                file_path: string | string[];
                /** @description Packs the entries into one file under their full paths. tar keeps every name and link; a zip file lists what it cannot hold in `holdfast-notes.txt`. */
                format?: "tar" | "tar.gz" | "zip";
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesDeleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository_id": 1,
                     *       "archive_name": "nas-home-2026-03-01T02:00:00",
                     *       "status": "completed",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_message": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "logs": null,
                     *       "has_logs": true,
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivesDeleteJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesCancelDeleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivesCancelDeleteJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesSearchAll: {
        parameters: {
            query: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description What is looked for. */
                query: string;
                /** @description How `query` is meant: as a part of the name, or as a pattern with `*` and `?`. */
                mode?: "substring" | "glob";
                /** @description Whether upper and lower case differ. */
                case_sensitive?: boolean;
                /** @description At most so many entries. */
                limit?: number;
                /** @description Only looks into listings that are in the cache already. */
                cached_only?: boolean;
                /** @description Answers at once from what is known, without asking the backup tool. */
                known_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "items": [
                     *         {
                     *           "name": "march.txt",
                     *           "path": "home/ann/letters/march.txt",
                     *           "versions": [
                     *             {
                     *               "type": "file",
                     *               "size": 1637,
                     *               "mtime": "2026-03-01T02:00:00.000Z",
                     *               "archives": [
                     *                 "nas-home-2026-03-01T02:00:00"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "truncated": false,
                     *       "not_searched": []
                     *     }
                     */
                    "application/json": components["schemas"]["RepositorySearch"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesSearchEverywhere: {
        parameters: {
            query: {
                /** @description What is looked for. */
                query: string;
                /** @description How `query` is meant: as a part of the name, or as a pattern with `*` and `?`. */
                mode?: "substring" | "glob";
                /** @description Whether upper and lower case differ. */
                case_sensitive?: boolean;
                /** @description For each repository. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "repositories": [
                     *         {
                     *           "items": [
                     *             {
                     *               "name": "Home",
                     *               "path": "/backups/home",
                     *               "versions": [
                     *                 {
                     *                   "type": "file",
                     *                   "size": 1637,
                     *                   "mtime": "2026-03-01T02:00:00.000Z",
                     *                   "archives": [
                     *                     "nas-home-2026-03-01T02:00:00"
                     *                   ]
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "truncated": false,
                     *           "not_searched": [],
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "archives": [
                     *             {
                     *               "name": "Home",
                     *               "start": "2026-03-01T02:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SearchEverywhere"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesHistory: {
        parameters: {
            query: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Path inside the archive; empty: the top. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "path": "home/ann/letters/march.txt",
                     *       "archives": 1,
                     *       "history": [
                     *         {
                     *           "type": "file",
                     *           "size": 1637,
                     *           "mtime": "2026-03-01T02:00:00.000Z",
                     *           "state": "appeared",
                     *           "archive": "nas-home-2026-03-01T02:00:00",
                     *           "archive_id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "start": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PathHistory"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesListing: {
        parameters: {
            query?: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
            };
            header?: never;
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "archive": "nas-home-2026-03-01T02:00:00",
                     *       "state": "cached",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "entries": 1042,
                     *       "percent": null,
                     *       "expected_files": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListingState"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesSearch: {
        parameters: {
            query: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description What is looked for. */
                query: string;
                /** @description How `query` is meant: as a part of the name, or as a pattern with `*` and `?`. */
                mode?: "substring" | "glob";
                /** @description Whether upper and lower case differ. */
                case_sensitive?: boolean;
                /** @description At most so many entries. */
                limit?: number;
                /** @description So many entries are passed over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "items": [
                     *         {
                     *           "name": "march.txt",
                     *           "type": "file",
                     *           "size": 1637,
                     *           "mtime": "2026-03-01T02:00:00.000Z",
                     *           "path": "home/ann/letters/march.txt",
                     *           "healthy": true
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveSearch"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesDiff: {
        parameters: {
            query: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Name of the archive to compare with, or its id. */
                with: string;
                /** @description At most so many entries. */
                limit?: number;
                /** @description So many entries are passed over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "archive": "nas-home-2026-03-01T02:00:00",
                     *       "with": "nas-home-2026-03-02T02:00:00",
                     *       "added": 1,
                     *       "removed": 1,
                     *       "changed": 1,
                     *       "items": [
                     *         {
                     *           "path": "home/ann/letters/march.txt",
                     *           "change": "added",
                     *           "type": "file",
                     *           "before": {
                     *             "type": "file",
                     *             "size": 1637,
                     *             "mtime": "2026-03-01T02:00:00.000Z"
                     *           },
                     *           "after": {
                     *             "type": "file",
                     *             "size": 1637,
                     *             "mtime": "2026-03-01T02:00:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveComparison"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesInfo: {
        parameters: {
            query?: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Whether the first files are listed as well. */
                include_files?: boolean;
                /** @description At most so many files. */
                file_limit?: number;
            };
            header?: never;
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "info": {
                     *         "name": "nas-home-2026-03-01T02:00:00",
                     *         "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *         "start": "2026-03-01T02:00:00.000Z",
                     *         "end": "2026-03-01T02:00:00.000Z",
                     *         "duration": 12.4,
                     *         "stats": {
                     *           "original_size": 1706203,
                     *           "compressed_size": 1204117,
                     *           "deduplicated_size": 40231,
                     *           "nfiles": 1042
                     *         },
                     *         "command_line": [
                     *           "borg",
                     *           "create",
                     *           "/backups/home::nas-home-2026-03-01T02:00:00",
                     *           "/home"
                     *         ],
                     *         "hostname": "nas",
                     *         "username": "ann",
                     *         "chunker_params": [
                     *           "buzhash",
                     *           19,
                     *           23,
                     *           21,
                     *           4095
                     *         ],
                     *         "limits": {
                     *           "max_archive_size": 0.001
                     *         },
                     *         "comment": "",
                     *         "repository": {
                     *           "id": "5a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e905a6d2e90",
                     *           "last_modified": "2026-03-01T02:00:00.000Z",
                     *           "location": "/backups/home"
                     *         },
                     *         "encryption": {
                     *           "mode": "-rw-r--r--"
                     *         },
                     *         "file_count": 0,
                     *         "damaged": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivesInfoAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesContents: {
        parameters: {
            query?: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Path inside the archive; empty: the top. */
                path?: string;
                /** @description At most so many entries. */
                limit?: number;
                /** @description So many entries are passed over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "items": [
                     *         {
                     *           "name": "march.txt",
                     *           "type": "file",
                     *           "size": 1637,
                     *           "mtime": "2026-03-01T02:00:00.000Z",
                     *           "path": "home/ann/letters/march.txt",
                     *           "healthy": true
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "path": "home/ann/letters"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveContents"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivesDelete: {
        parameters: {
            query?: {
                /** @description Path of the repository, as it was registered; or give `repository_id`. */
                repository?: string;
                /** @description Id of the repository. */
                repository_id?: number;
            };
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivesDeleteAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    auditList: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
                /** @description Only entries before this position: `next_before` of the previous page. */
                before?: number;
                /** @description User name. */
                user?: string;
                /** @description Id of an operation in the OpenAPI document. */
                action?: string;
                /** @description `change`: a call that may change something. `secret`: stored secrets were shown. `download`: data left the service. `system`: an action of the service itself or of a CLI command. */
                kind?: "change" | "login" | "secret" | "download" | "system";
                /** @description `denied`: wrong password or missing permission. `throttled`: too many attempts. `refused`: rejected for another reason. */
                outcome?: "done" | "denied" | "throttled" | "refused" | "failed";
                /** @description Only entries at or after this time. */
                since?: string;
                /** @description Only entries before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "entries": [
                     *         {
                     *           "seq": 1,
                     *           "at": "2026-03-01T02:00:00.000Z",
                     *           "kind": "change",
                     *           "action": "repositoriesDelete",
                     *           "outcome": "done",
                     *           "status": 200,
                     *           "user_id": null,
                     *           "username": "admin",
                     *           "token_id": null,
                     *           "address": "192.0.2.7",
                     *           "request_id": null,
                     *           "method": "DELETE",
                     *           "url": "/api/repositories/7",
                     *           "object_kind": "repository",
                     *           "object_id": "7",
                     *           "note": null,
                     *           "previous_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "hash": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authSessionOpen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ann",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["BrowserCredentials"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Set-Cookie": components["headers"]["SessionCookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "access_token": "hf_3Jt0c1mJvR8VbQ2s",
                     *       "token_type": "bearer",
                     *       "expires_in": 900
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserSessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authSessionEnd: {
        parameters: {
            query?: never;
            header?: {
                /** @description Always `1`. Required, so that a form or a link of another site cannot make this request. */
                "x-holdfast-session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Set-Cookie": components["headers"]["SessionCookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authSessionRefresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description Always `1`. Required, so that a form or a link of another site cannot make this request. */
                "x-holdfast-session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Set-Cookie": components["headers"]["SessionCookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "access_token": "hf_3Jt0c1mJvR8VbQ2s",
                     *       "token_type": "bearer",
                     *       "expires_in": 900
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserSessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authSessionConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["AuthSessionConfirmBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "confirmed_until": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ann",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "hf_3Jt0c1mJvR8VbQ2s",
                     *       "token_type": "bearer",
                     *       "expires_in": 86400,
                     *       "must_change_password": false
                     *     }
                     */
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authRefresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "hf_3Jt0c1mJvR8VbQ2s",
                     *       "token_type": "bearer",
                     *       "expires_in": 86400,
                     *       "must_change_password": false
                     *     }
                     */
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "the password so far",
                 *       "new_password": "a new password of some length"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authListUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "username": "ann",
                     *         "email": "operator@example.org",
                     *         "is_active": true,
                     *         "is_admin": false,
                     *         "must_change_password": false,
                     *         "last_login": "2026-03-01T02:00:00.000Z",
                     *         "created_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authCreateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ann",
                 *       "password": "correct horse battery staple",
                 *       "email": "operator@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authGetUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the user or token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authUpdateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the user or token. */
                id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "operator@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["UserChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "username": "ann",
                     *       "email": "operator@example.org",
                     *       "is_active": true,
                     *       "is_admin": false,
                     *       "must_change_password": false,
                     *       "last_login": "2026-03-01T02:00:00.000Z",
                     *       "created_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authDeleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the user or token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user or token. */
                id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_password": "a new password of some length"
                 *     }
                 */
                "application/json": components["schemas"]["AuthResetPasswordBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authListTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "tokens": [
                     *         {
                     *           "id": 1,
                     *           "name": "Dashboard",
                     *           "read_only": false,
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "expires_at": "2026-03-01T02:00:00.000Z",
                     *           "last_used_at": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuthListTokensAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authCreateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dashboard",
                 *       "read_only": true,
                 *       "expires_at": "2027-01-31T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewApiToken"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "access_token": "hf_3Jt0c1mJvR8VbQ2s",
                     *       "token": {
                     *         "id": 1,
                     *         "name": "Dashboard",
                     *         "read_only": false,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "expires_at": "2026-03-01T02:00:00.000Z",
                     *         "last_used_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AuthCreateTokenAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    authDeleteToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user or token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository": "/backups/home"
                 *     }
                 */
                "application/json": components["schemas"]["BackupsStartBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["BackupsStartAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsList: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
                /** @description Only backups that a schedule started. */
                scheduled_only?: boolean;
                /** @description Only backups that were started by hand. */
                manual_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "repository": "/backups/home",
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "status": "completed",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "progress": 100,
                     *           "progress_details": {
                     *             "original_size": 1706203,
                     *             "compressed_size": 1204117,
                     *             "deduplicated_size": 40231,
                     *             "nfiles": 1042,
                     *             "current_file": "home/ann/letters/march.txt",
                     *             "progress_percent": 100,
                     *             "backup_speed": 48.2,
                     *             "total_expected_size": 1,
                     *             "estimated_time_remaining": 1
                     *           },
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "archive_name": "nas-home-2026-03-01T02:00:00",
                     *           "maintenance_status": null,
                     *           "scheduled_job_id": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BackupsListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository": "/backups/home",
                     *       "repository_id": 1,
                     *       "repository_name": "Home",
                     *       "status": "completed",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_details": {
                     *         "original_size": 1706203,
                     *         "compressed_size": 1204117,
                     *         "deduplicated_size": 40231,
                     *         "nfiles": 1042,
                     *         "current_file": "home/ann/letters/march.txt",
                     *         "progress_percent": 100,
                     *         "backup_speed": 48.2,
                     *         "total_expected_size": 1,
                     *         "estimated_time_remaining": 1
                     *       },
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "waiting_for": null,
                     *       "waiting_for_code": null,
                     *       "waiting_for_params": {},
                     *       "has_logs": true,
                     *       "archive_name": "nas-home-2026-03-01T02:00:00",
                     *       "maintenance_status": null,
                     *       "scheduled_job_id": null,
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["BackupsStatusAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["BackupsCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsReadLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    backupsDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cacheStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backend": "redis",
                     *       "available": true,
                     *       "connection_type": "external_url",
                     *       "connection_info": "redis://:***@cache:6379/0",
                     *       "hits": 390,
                     *       "misses": 10,
                     *       "hit_rate": 97.5,
                     *       "size_bytes": 1204117,
                     *       "entry_count": 1,
                     *       "ttl_seconds": 7200,
                     *       "max_size_mb": 2048,
                     *       "redis_fallback": false,
                     *       "problem": null
                     *     }
                     */
                    "application/json": components["schemas"]["CacheStats"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cacheClear: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "cleared_count": 1,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["CacheCleared"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cacheClearRepository: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repo_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["CacheClearRepositoryBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "cleared_count": 1,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["CacheCleared"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cacheSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "settings": {
                     *         "url": "redis://cache:6379/0",
                     *         "enabled": true,
                     *         "ttl_seconds": 7200,
                     *         "max_size_mb": 2048,
                     *         "warm_after_backup": false
                     *       },
                     *       "overridden": [
                     *         "url"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CacheSettingsView"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cacheUpdateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "redis://:password@cache:6379/0"
                 *     }
                 */
                "application/json": components["schemas"]["CacheSettingsInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "settings": {
                     *         "url": "redis://cache:6379/0",
                     *         "enabled": true,
                     *         "ttl_seconds": 7200,
                     *         "max_size_mb": 2048,
                     *         "warm_after_backup": false
                     *       },
                     *       "overridden": [
                     *         "url"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CacheSettingsView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    eventsStream: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
                /** @description Goes on behind this event, where a header can not be set. */
                last_event_id?: number;
                /** @description Only these kinds, separated by commas. */
                kinds?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Also the progress of running jobs, at most once a second each. */
                progress?: boolean;
            };
            header?: {
                /** @description Goes on behind this event. */
                "last-event-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadsCreateTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "/api/backup/logs/7/download",
                 *       "file_paths": [
                 *         "home/ann/letters",
                 *         "home/ann/photos/2026"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DownloadTicketInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "ticket": "hft_3Jt0c1mJvR8VbQ2s",
                     *       "url": "/api/backup/logs/7/download?ticket=hft_…",
                     *       "expires_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadTicketView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsGetSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "repository_id": 1,
                     *       "repository_name": "Home",
                     *       "cron_expression": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "sample_files": 200,
                     *       "sample_bytes": 1000000000,
                     *       "fixed_paths": [
                     *         "home/ann/letters"
                     *       ],
                     *       "last_run": "2026-03-01T02:00:00.000Z",
                     *       "next_run": "2026-03-01T02:00:00.000Z",
                     *       "last_error": null,
                     *       "last_error_code": null,
                     *       "last_error_params": {},
                     *       "last_verified_restore": "2026-03-01T02:00:00.000Z",
                     *       "coverage_percent": 41.5,
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["DrillsGetScheduleAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsPutSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron_expression": "0 5 * * 1",
                 *       "timezone": "Europe/Berlin",
                 *       "sample_files": 200,
                 *       "sample_bytes": 1000000000,
                 *       "fixed_paths": [
                 *         "home/ann/letters"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DrillScheduleChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "repository_id": 1,
                     *       "repository_name": "Home",
                     *       "cron_expression": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "sample_files": 200,
                     *       "sample_bytes": 1000000000,
                     *       "fixed_paths": [
                     *         "home/ann/letters"
                     *       ],
                     *       "last_run": "2026-03-01T02:00:00.000Z",
                     *       "next_run": "2026-03-01T02:00:00.000Z",
                     *       "last_error": null,
                     *       "last_error_code": null,
                     *       "last_error_params": {},
                     *       "last_verified_restore": "2026-03-01T02:00:00.000Z",
                     *       "coverage_percent": 41.5,
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DrillsPutScheduleAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DrillsStartAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsList: {
        parameters: {
            query?: {
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Only drills with a lower id: `next_before`. */
                before?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "drills": [
                     *         {
                     *           "id": 1,
                     *           "job_id": 1,
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "status": "completed",
                     *           "verdict": "proved",
                     *           "requested_by": "admin",
                     *           "planned_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "ended_at": "2026-03-01T02:00:00.000Z",
                     *           "seconds": 0,
                     *           "archive": {
                     *             "name": "Home",
                     *             "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *             "start": "2026-03-01T02:00:00.000Z"
                     *           },
                     *           "archive_files": 0,
                     *           "archive_bytes": 0,
                     *           "restored_files": 0,
                     *           "restored_bytes": 0,
                     *           "failed_files": 0,
                     *           "not_examined_files": 0,
                     *           "compared_with_source": 0,
                     *           "source_changed": 0,
                     *           "coverage_percent": 41.5,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {}
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["DrillPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsExport: {
        parameters: {
            query?: {
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Drills that ended then or later. Default: all. */
                from?: string;
                /** @description Drills that ended before. Default: now. */
                to?: string;
                /** @description Default: json. */
                format?: "json" | "html";
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    drillsGet: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the drill. */
                drill_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "drill": {
                     *         "id": 1,
                     *         "job_id": 1,
                     *         "repository_id": 1,
                     *         "repository_name": "Home",
                     *         "status": "completed",
                     *         "verdict": "proved",
                     *         "requested_by": "admin",
                     *         "planned_at": "2026-03-01T02:00:00.000Z",
                     *         "started_at": "2026-03-01T02:00:00.000Z",
                     *         "ended_at": "2026-03-01T02:00:00.000Z",
                     *         "seconds": 0,
                     *         "archive": {
                     *           "name": "Home",
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "start": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "archive_files": 0,
                     *         "archive_bytes": 0,
                     *         "restored_files": 0,
                     *         "restored_bytes": 0,
                     *         "failed_files": 0,
                     *         "not_examined_files": 0,
                     *         "compared_with_source": 0,
                     *         "source_changed": 0,
                     *         "coverage_percent": 41.5,
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {}
                     *       },
                     *       "results": [
                     *         {
                     *           "path": "/backups/home",
                     *           "type": "file",
                     *           "size": 1637,
                     *           "sha256": "abababababababababababababababababababababababababababababababab",
                     *           "verdict": "proved",
                     *           "compared_with": "inventory",
                     *           "source": "unchanged",
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {}
                     *         }
                     *       ],
                     *       "results_total": 0
                     *     }
                     */
                    "application/json": components["schemas"]["DrillEvidence"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeExportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "document": {
                     *         "format": "holdfast-settings",
                     *         "version": 1,
                     *         "source_sets": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SettingsExported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeExportSealedSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seal_passphrase": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["ExchangeExportSealedSettingsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "document": {
                     *         "format": "holdfast-settings",
                     *         "version": 1,
                     *         "source_sets": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SettingsExported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeImportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "document": {
                 *         "format": "holdfast-settings",
                 *         "version": 1,
                 *         "source_sets": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SettingsImport"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "dry_run": false,
                     *       "message": "Done.",
                     *       "counts": {
                     *         "create": 1,
                     *         "change": 1,
                     *         "unchanged": 1,
                     *         "cannot": 1
                     *       },
                     *       "objects": [
                     *         {
                     *           "section": "repositories",
                     *           "key": "nightly",
                     *           "name": "Home",
                     *           "action": "create",
                     *           "fields": [
                     *             "prune_keep_daily"
                     *           ],
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {}
                     *         }
                     *       ],
                     *       "remark_codes": [],
                     *       "remarks": [
                     *         "The cache can not be reached. The previous settings stay in use."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SettingsImported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeImportBorgmatic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "files": [
                 *         {
                 *           "name": "/etc/borgmatic/config.yaml",
                 *           "content": "repositories:\n  - path: /backups/home\nsource_directories:\n  - /home\nkeep_daily: 7\n"
                 *         }
                 *       ],
                 *       "answers": [
                 *         {
                 *           "kind": "passphrase",
                 *           "name": "/backups/home",
                 *           "text": "correct horse battery staple"
                 *         }
                 *       ],
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["BorgmaticImport"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "dry_run": false,
                     *       "message": "Done.",
                     *       "counts": {
                     *         "create": 1,
                     *         "change": 1,
                     *         "unchanged": 1,
                     *         "cannot": 1,
                     *         "options_left_out": 1
                     *       },
                     *       "objects": [
                     *         {
                     *           "section": "repositories",
                     *           "key": "nightly",
                     *           "name": "Home",
                     *           "action": "create",
                     *           "fields": [
                     *             "prune_keep_daily"
                     *           ],
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {},
                     *           "file": "/etc/borgmatic/config.yaml"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "file": "/etc/borgmatic/config.yaml",
                     *           "line": 1,
                     *           "key": "retention.keep_daily",
                     *           "result": "taken",
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {},
                     *           "accept_as": "databases"
                     *         }
                     *       ],
                     *       "needs": [
                     *         {
                     *           "kind": "include",
                     *           "name": "Home",
                     *           "file": "/etc/borgmatic/config.yaml",
                     *           "line": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BorgmaticImported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeExportBorgmatic: {
        parameters: {
            query?: {
                /** @description Id of the repository. */
                repository_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "files": [
                     *         {
                     *           "name": "home.yaml",
                     *           "content": "repositories:\n  - path: \"/backups/home\"\n"
                     *         }
                     *       ],
                     *       "notes": [
                     *         {
                     *           "file": "home.yaml",
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BorgmaticExported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeExportBorgmaticWith: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository_ids": [
                 *         1
                 *       ],
                 *       "secrets": true
                 *     }
                 */
                "application/json": components["schemas"]["ExchangeExportBorgmaticWithBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "files": [
                     *         {
                     *           "name": "home.yaml",
                     *           "content": "repositories:\n  - path: \"/backups/home\"\n"
                     *         }
                     *       ],
                     *       "notes": [
                     *         {
                     *           "file": "home.yaml",
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BorgmaticExported"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    incidentsList: {
        parameters: {
            query?: {
                /** @description Default: both. */
                open?: boolean;
                /** @description Only incidents of this cause. */
                cause?: "late" | "damaged" | "does_not_open" | "archives_unsigned" | "host_key_changed" | "delivery_parked" | "storage_full" | "storage_nearly_full" | "schedule_failing" | "retention_paused" | "drill_failed" | "planned_too_far";
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Only incidents with a lower id: `next_before`. */
                before?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "incidents": [
                     *         {
                     *           "id": 1,
                     *           "cause": "late",
                     *           "open": false,
                     *           "object": {
                     *             "kind": "repository",
                     *             "id": 1,
                     *             "name": "Home"
                     *           },
                     *           "repository_id": 1,
                     *           "opened_at": "2026-03-01T02:00:00.000Z",
                     *           "since": "2026-03-01T02:00:00.000Z",
                     *           "reason": {
                     *             "code": "incident_late",
                     *             "params": {
                     *               "repository": "Home",
                     *               "newest_archive": "2026-03-01T02:00:00.000Z",
                     *               "promised_hours": 26
                     *             },
                     *             "text": "The newest archive of Home is of 2026-03-01T02:00:00.000Z; it should be at most 26 h old."
                     *           },
                     *           "snoozed_until": null,
                     *           "snooze_reason": null,
                     *           "snoozed_by": null,
                     *           "recovered_at": null,
                     *           "recovery": null
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    incidentsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description The id of an incident. */
                incident_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "cause": "late",
                     *       "open": false,
                     *       "object": {
                     *         "kind": "repository",
                     *         "id": 1,
                     *         "name": "Home"
                     *       },
                     *       "repository_id": 1,
                     *       "opened_at": "2026-03-01T02:00:00.000Z",
                     *       "since": "2026-03-01T02:00:00.000Z",
                     *       "reason": {
                     *         "code": "incident_late",
                     *         "params": {
                     *           "repository": "Home",
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "promised_hours": 26
                     *         },
                     *         "text": "The newest archive of Home is of 2026-03-01T02:00:00.000Z; it should be at most 26 h old."
                     *       },
                     *       "snoozed_until": null,
                     *       "snooze_reason": null,
                     *       "snoozed_by": null,
                     *       "recovered_at": null,
                     *       "recovery": null,
                     *       "messages": [
                     *         {
                     *           "delivery_id": 1,
                     *           "setting_id": 1,
                     *           "setting_name": null,
                     *           "event": "backup_late",
                     *           "status": "collecting",
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "delivered_at": "2026-03-01T02:00:00.000Z",
                     *           "last_error": null,
                     *           "last_error_code": null,
                     *           "last_error_params": {}
                     *         }
                     *       ],
                     *       "attempts": {
                     *         "count": 1,
                     *         "last": [
                     *           {
                     *             "job_id": 1,
                     *             "kind": "backup",
                     *             "status": "failed",
                     *             "requested_at": "2026-03-01T02:00:00.000Z",
                     *             "completed_at": "2026-03-01T02:00:00.000Z",
                     *             "error_message": null,
                     *             "error_code": null,
                     *             "error_params": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentDetails"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    incidentsSnooze: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an incident. */
                incident_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2027-03-09T08:00:00Z",
                 *       "reason": "A directory is never replaced."
                 *     }
                 */
                "application/json": components["schemas"]["Snooze"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "cause": "late",
                     *       "open": false,
                     *       "object": {
                     *         "kind": "repository",
                     *         "id": 1,
                     *         "name": "Home"
                     *       },
                     *       "repository_id": 1,
                     *       "opened_at": "2026-03-01T02:00:00.000Z",
                     *       "since": "2026-03-01T02:00:00.000Z",
                     *       "reason": {
                     *         "code": "incident_late",
                     *         "params": {
                     *           "repository": "Home",
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "promised_hours": 26
                     *         },
                     *         "text": "The newest archive of Home is of 2026-03-01T02:00:00.000Z; it should be at most 26 h old."
                     *       },
                     *       "snoozed_until": null,
                     *       "snooze_reason": null,
                     *       "snoozed_by": null,
                     *       "recovered_at": null,
                     *       "recovery": null,
                     *       "messages": [
                     *         {
                     *           "delivery_id": 1,
                     *           "setting_id": 1,
                     *           "setting_name": null,
                     *           "event": "backup_late",
                     *           "status": "collecting",
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "delivered_at": "2026-03-01T02:00:00.000Z",
                     *           "last_error": null,
                     *           "last_error_code": null,
                     *           "last_error_params": {}
                     *         }
                     *       ],
                     *       "attempts": {
                     *         "count": 1,
                     *         "last": [
                     *           {
                     *             "job_id": 1,
                     *             "kind": "backup",
                     *             "status": "failed",
                     *             "requested_at": "2026-03-01T02:00:00.000Z",
                     *             "completed_at": "2026-03-01T02:00:00.000Z",
                     *             "error_message": null,
                     *             "error_code": null,
                     *             "error_params": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    incidentsWake: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description The id of an incident. */
                incident_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "cause": "late",
                     *       "open": false,
                     *       "object": {
                     *         "kind": "repository",
                     *         "id": 1,
                     *         "name": "Home"
                     *       },
                     *       "repository_id": 1,
                     *       "opened_at": "2026-03-01T02:00:00.000Z",
                     *       "since": "2026-03-01T02:00:00.000Z",
                     *       "reason": {
                     *         "code": "incident_late",
                     *         "params": {
                     *           "repository": "Home",
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "promised_hours": 26
                     *         },
                     *         "text": "The newest archive of Home is of 2026-03-01T02:00:00.000Z; it should be at most 26 h old."
                     *       },
                     *       "snoozed_until": null,
                     *       "snooze_reason": null,
                     *       "snoozed_by": null,
                     *       "recovered_at": null,
                     *       "recovery": null,
                     *       "messages": [
                     *         {
                     *           "delivery_id": 1,
                     *           "setting_id": 1,
                     *           "setting_name": null,
                     *           "event": "backup_late",
                     *           "status": "collecting",
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "delivered_at": "2026-03-01T02:00:00.000Z",
                     *           "last_error": null,
                     *           "last_error_code": null,
                     *           "last_error_params": {}
                     *         }
                     *       ],
                     *       "attempts": {
                     *         "count": 1,
                     *         "last": [
                     *           {
                     *             "job_id": 1,
                     *             "kind": "backup",
                     *             "status": "failed",
                     *             "requested_at": "2026-03-01T02:00:00.000Z",
                     *             "completed_at": "2026-03-01T02:00:00.000Z",
                     *             "error_message": null,
                     *             "error_code": null,
                     *             "error_params": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    historyRepository: {
        parameters: {
            query?: {
                /** @description Default: 30 days before `to`. */
                from?: string;
                /** @description Not included. Default: now. At most 3660 days after `from`. */
                to?: string;
                /** @description Most archives, and most samples. */
                limit?: number;
                /** @description Archives, and samples, to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "repository_id": 1,
                     *       "from": "2026-03-01T02:00:00.000Z",
                     *       "to": "2026-03-01T02:00:00.000Z",
                     *       "archive_count": 31,
                     *       "archives": [
                     *         {
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "name": "Home",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "seconds": null,
                     *           "original_bytes": null,
                     *           "added_bytes": null,
                     *           "schedule_id": null,
                     *           "damaged": false
                     *         }
                     *       ],
                     *       "samples": [
                     *         {
                     *           "at": "2026-03-01T02:00:00.000Z",
                     *           "job_id": 1,
                     *           "kind": "backup",
                     *           "size_bytes": 1204117,
                     *           "free_bytes": null,
                     *           "archive_count": 31,
                     *           "original_bytes": null,
                     *           "added_bytes": null,
                     *           "seconds": 0
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryHistory"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    historyDays: {
        parameters: {
            query?: {
                /** @description How many days, up to today. */
                days?: number;
                /** @description IANA name: days begin at midnight there. */
                timezone?: string;
                /** @description Only this repository. */
                repository_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "timezone": "Europe/Berlin",
                     *       "first_day": "2026-03-01",
                     *       "last_day": "2026-03-01",
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home",
                     *           "days": "oooowoofooooooooooooomooooooo-"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HistoryDays"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    jobsList: {
        parameters: {
            query?: {
                /** @description One or several, separated by commas. */
                kind?: string;
                /** @description One or several, separated by commas. */
                status?: string;
                /** @description Id of the repository. */
                repository_id?: number;
                /** @description Id of the schedule. */
                schedule_id?: number;
                /** @description Only jobs with a lower id. */
                before?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "kind": "backup",
                     *           "status": "completed",
                     *           "repository": "/backups/home",
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "schedule_id": null,
                     *           "requested_by": "admin",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "seconds": null,
                     *           "progress": 100,
                     *           "progress_details": {
                     *             "original_size": 1706203,
                     *             "compressed_size": 1204117,
                     *             "deduplicated_size": 40231,
                     *             "nfiles": 1042,
                     *             "current_file": "home/ann/letters/march.txt",
                     *             "speed": 1,
                     *             "total_expected_size": 0,
                     *             "estimated_time_remaining": 0
                     *           },
                     *           "progress_message": null,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "cancel_requested": false,
                     *           "cancellable": false,
                     *           "about": {
                     *             "archive": "nas-home-2026-03-01T02:00:00",
                     *             "destination": "/srv/restored"
                     *           }
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["JobsListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    jobsJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job": {
                     *         "id": 1,
                     *         "kind": "backup",
                     *         "status": "completed",
                     *         "repository": "/backups/home",
                     *         "repository_id": 1,
                     *         "repository_name": "Home",
                     *         "schedule_id": null,
                     *         "requested_by": "admin",
                     *         "requested_at": "2026-03-01T02:00:00.000Z",
                     *         "started_at": "2026-03-01T02:00:00.000Z",
                     *         "completed_at": "2026-03-01T02:00:00.000Z",
                     *         "seconds": null,
                     *         "progress": 100,
                     *         "progress_details": {
                     *           "original_size": 1706203,
                     *           "compressed_size": 1204117,
                     *           "deduplicated_size": 40231,
                     *           "nfiles": 1042,
                     *           "current_file": "home/ann/letters/march.txt",
                     *           "speed": 1,
                     *           "total_expected_size": 0,
                     *           "estimated_time_remaining": 0
                     *         },
                     *         "progress_message": null,
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "waiting_for": null,
                     *         "waiting_for_code": null,
                     *         "waiting_for_params": {},
                     *         "has_logs": true,
                     *         "cancel_requested": false,
                     *         "cancellable": false,
                     *         "about": {
                     *           "archive": "nas-home-2026-03-01T02:00:00",
                     *           "destination": "/srv/restored"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobsJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    jobsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["JobsCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    jobsLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    jobsDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCheckJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository_id": 1,
                     *       "repository": "/backups/home",
                     *       "repository_name": "Home",
                     *       "status": "completed",
                     *       "triggered_by": "manual",
                     *       "scheduled_job_id": null,
                     *       "requested_by": "admin",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_message": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "waiting_for": null,
                     *       "waiting_for_code": null,
                     *       "waiting_for_params": {},
                     *       "has_logs": true,
                     *       "check_type": "manual",
                     *       "signs": false,
                     *       "max_duration": 1,
                     *       "verify_data": false,
                     *       "partial": false,
                     *       "problems_found": null,
                     *       "damaged_archives": [
                     *         "home-2026-03-01T02:00:00"
                     *       ],
                     *       "would_delete": [
                     *         "home-2026-03-01T02:00:00"
                     *       ],
                     *       "success": true,
                     *       "logs": null
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCheckJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCheckJobs: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "repository": "/backups/home",
                     *           "repository_name": "Home",
                     *           "status": "completed",
                     *           "triggered_by": "manual",
                     *           "scheduled_job_id": null,
                     *           "requested_by": "admin",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "progress": 100,
                     *           "progress_message": null,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "check_type": "manual",
                     *           "signs": false,
                     *           "max_duration": 1,
                     *           "verify_data": false,
                     *           "partial": false,
                     *           "problems_found": null,
                     *           "damaged_archives": [
                     *             "home-2026-03-01T02:00:00"
                     *           ],
                     *           "would_delete": [
                     *             "home-2026-03-01T02:00:00"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCheckJobsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCheckCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCheckCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCheckLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCheckDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCompactJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository_id": 1,
                     *       "repository": "/backups/home",
                     *       "repository_name": "Home",
                     *       "status": "completed",
                     *       "triggered_by": "manual",
                     *       "scheduled_job_id": null,
                     *       "requested_by": "admin",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_message": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "waiting_for": null,
                     *       "waiting_for_code": null,
                     *       "waiting_for_params": {},
                     *       "has_logs": true,
                     *       "freed_bytes": null,
                     *       "success": true,
                     *       "logs": null
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCompactJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCompactJobs: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "repository": "/backups/home",
                     *           "repository_name": "Home",
                     *           "status": "completed",
                     *           "triggered_by": "manual",
                     *           "scheduled_job_id": null,
                     *           "requested_by": "admin",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "progress": 100,
                     *           "progress_message": null,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "freed_bytes": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCompactJobsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCompactCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceCompactCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCompactLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceCompactDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePruneJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository_id": 1,
                     *       "repository": "/backups/home",
                     *       "repository_name": "Home",
                     *       "status": "completed",
                     *       "triggered_by": "manual",
                     *       "scheduled_job_id": null,
                     *       "requested_by": "admin",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_message": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "waiting_for": null,
                     *       "waiting_for_code": null,
                     *       "waiting_for_params": {},
                     *       "has_logs": true,
                     *       "dry_run": false,
                     *       "schedule_id": null,
                     *       "kept_count": null,
                     *       "removed_count": null,
                     *       "success": true,
                     *       "logs": null,
                     *       "archives": [
                     *         {
                     *           "name": "nas-home-2026-03-01T02:00:00",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "rule": "weekly #2"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenancePruneJobAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePruneJobs: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "repository": "/backups/home",
                     *           "repository_name": "Home",
                     *           "status": "completed",
                     *           "triggered_by": "manual",
                     *           "scheduled_job_id": null,
                     *           "requested_by": "admin",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "progress": 100,
                     *           "progress_message": null,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "dry_run": false,
                     *           "schedule_id": null,
                     *           "kept_count": null,
                     *           "removed_count": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenancePruneJobsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePruneCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenancePruneCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePruneLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePruneDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceRunningJobs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "has_running_jobs": false,
                     *       "check_job": {
                     *         "id": 1,
                     *         "progress": 100,
                     *         "progress_message": null,
                     *         "started_at": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "compact_job": {
                     *         "id": 1,
                     *         "progress": 100,
                     *         "progress_message": null,
                     *         "started_at": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "prune_job": {
                     *         "id": 1,
                     *         "progress": 100,
                     *         "progress_message": null,
                     *         "started_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RunningJobs"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceStartCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "max_duration": 3600
                 *     }
                 */
                "application/json": components["schemas"]["CheckInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceStartCheckAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceStartRepair: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm_name": "Home"
                 *     }
                 */
                "application/json": components["schemas"]["RepairInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceStartRepairAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceSignArchives: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceSignArchivesAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceStartCompact: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceStartCompactAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceStartPrune: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keep_daily": 7,
                 *       "keep_weekly": 4,
                 *       "keep_monthly": 6,
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["PruneInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "dry_run": false,
                     *       "message": "Done.",
                     *       "archives": [
                     *         {
                     *           "name": "nas-home-2026-03-01T02:00:00",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "rule": "weekly #2"
                     *         }
                     *       ],
                     *       "prune_result": {
                     *         "success": true,
                     *         "stdout": "",
                     *         "stderr": ""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PruneAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceBreakLock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "holder": null
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceBreakLockAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenanceGetCheckSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "check_cron_expression": "0 4 * * 0",
                     *       "timezone": "Europe/Berlin",
                     *       "last_scheduled_check": "2026-03-01T02:00:00.000Z",
                     *       "next_scheduled_check": "2026-03-01T02:00:00.000Z",
                     *       "check_max_duration": 0,
                     *       "check_verify_data": false,
                     *       "notify_on_check_success": false,
                     *       "notify_on_check_failure": false,
                     *       "last_error": null,
                     *       "last_error_code": null,
                     *       "last_error_params": {},
                     *       "repository_id": 1,
                     *       "repository_name": "Home",
                     *       "repository_path": "/backups/home",
                     *       "enabled": true,
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceGetCheckScheduleAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    maintenancePutCheckSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron_expression": "0 4 * * 0",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["CheckScheduleChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "check_cron_expression": "0 4 * * 0",
                     *         "timezone": "Europe/Berlin",
                     *         "last_scheduled_check": "2026-03-01T02:00:00.000Z",
                     *         "next_scheduled_check": "2026-03-01T02:00:00.000Z",
                     *         "check_max_duration": 0,
                     *         "check_verify_data": false,
                     *         "notify_on_check_success": false,
                     *         "notify_on_check_failure": false,
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {},
                     *         "id": 1,
                     *         "name": "Home"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckScheduleWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInDiscover: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "/srv/backups",
                 *       "depth": 8
                 *     }
                 */
                "application/json": components["schemas"]["MovingInDiscoverBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["MovingInDiscoverAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInDiscovery: {
        parameters: {
            query?: {
                /** @description Only those after this one: `next_after` of a page. */
                after?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "path": "/backups/home",
                     *       "connection_id": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "folders": 0,
                     *       "unreadable": 0,
                     *       "truncated": false,
                     *       "total": 0,
                     *       "found": [
                     *         {
                     *           "id": 1,
                     *           "path": "/backups/home",
                     *           "connection_id": null,
                     *           "repository_id": "9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c",
                     *           "key_in_repository": null,
                     *           "last_modified": "2026-03-01T02:00:00.000Z",
                     *           "already_registered": null,
                     *           "same_as": null,
                     *           "broken": {
                     *             "code": "attention_late",
                     *             "params": {
                     *               "name": "Home"
                     *             },
                     *             "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *           },
                     *           "opened": {
                     *             "encryption": "repokey-blake2",
                     *             "archive_count": 31,
                     *             "newest_archive": "2026-03-01T02:00:00.000Z",
                     *             "oldest_archive": "2026-03-01T02:00:00.000Z",
                     *             "hostnames": [
                     *               "nas"
                     *             ]
                     *           },
                     *           "open_error": {
                     *             "code": "attention_late",
                     *             "params": {
                     *               "name": "Home"
                     *             },
                     *             "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *           }
                     *         }
                     *       ],
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["DiscoveryView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInOpen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["MovingInOpenBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "found": [
                     *         {
                     *           "id": 1,
                     *           "path": "/backups/home",
                     *           "connection_id": null,
                     *           "repository_id": "9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c",
                     *           "key_in_repository": null,
                     *           "last_modified": "2026-03-01T02:00:00.000Z",
                     *           "already_registered": null,
                     *           "same_as": null,
                     *           "broken": {
                     *             "code": "attention_late",
                     *             "params": {
                     *               "name": "Home"
                     *             },
                     *             "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *           },
                     *           "opened": {
                     *             "encryption": "repokey-blake2",
                     *             "archive_count": 31,
                     *             "newest_archive": "2026-03-01T02:00:00.000Z",
                     *             "oldest_archive": "2026-03-01T02:00:00.000Z",
                     *             "hostnames": [
                     *               "nas"
                     *             ]
                     *           },
                     *           "open_error": {
                     *             "code": "attention_late",
                     *             "params": {
                     *               "name": "Home"
                     *             },
                     *             "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *           }
                     *         }
                     *       ],
                     *       "opened_count": 0,
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInImportMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repositories": [
                 *         {
                 *           "path": "/srv/backups/nas"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ImportManyInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repositories": [
                     *         {
                     *           "path": "/backups/home",
                     *           "connection_id": null,
                     *           "result": "created",
                     *           "repository_id": 1,
                     *           "name": "Home",
                     *           "archive_count": 31,
                     *           "detail": "There is no repository 7.",
                     *           "code": null,
                     *           "params": {}
                     *         }
                     *       ],
                     *       "created_count": 0,
                     *       "unchanged_count": 0,
                     *       "failed_count": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ImportManyAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInSuggestions: {
        parameters: {
            query?: {
                /** @description Time zone of the suggested rhythm. Default: the time zone of the service (`TZ`). */
                timezone?: string;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "repository_id": 1,
                     *       "series": [
                     *         {
                     *           "prefix": "nas-",
                     *           "pattern": "nas-*",
                     *           "hostname": "nas",
                     *           "archive_count": 31,
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "source_directories": [
                     *             "/home"
                     *           ],
                     *           "exclude_patterns": [
                     *             "*.tmp"
                     *           ],
                     *           "compression": "lz4",
                     *           "custom_flags": "--one-file-system",
                     *           "sources_confidence": "high",
                     *           "rhythm": {
                     *             "description": "about every day at 02:00",
                     *             "cron_expression": "0 2 * * *",
                     *             "timezone": "Europe/Berlin",
                     *             "confidence": "high",
                     *             "archives": 0
                     *           },
                     *           "retention": {
                     *             "prune_keep_hourly": -1,
                     *             "prune_keep_daily": 7,
                     *             "prune_keep_weekly": 4,
                     *             "prune_keep_monthly": 6,
                     *             "prune_keep_yearly": 1,
                     *             "description": "about 7 daily, 4 weekly",
                     *             "confidence": "high"
                     *           },
                     *           "remarks": [],
                     *           "evidence": [
                     *             "/usr/bin/borg",
                     *             "create",
                     *             "/srv/backups/nas::nas-2026-03-01",
                     *             "/home"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SuggestionsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    movingInTakeOver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "old_scheduler_off": true,
                 *       "old_archives": "adopt",
                 *       "pattern": "nas-*",
                 *       "source_directories": [
                 *         "/home"
                 *       ],
                 *       "compression": "lz4",
                 *       "custom_flags": "--one-file-system",
                 *       "schedule": {
                 *         "name": "Home",
                 *         "cron_expression": "0 2 * * *",
                 *         "timezone": "Europe/Berlin",
                 *         "prune_keep_within": "2d"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TakeOverInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       },
                     *       "schedule_id": 1,
                     *       "adopted_count": 0,
                     *       "removed_next": 0
                     *     }
                     */
                    "application/json": components["schemas"]["TakeOverAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Chat",
                     *         "service_url": "jsons://user:password@hooks.example.org/backup",
                     *         "enabled": true,
                     *         "title_prefix": "[nas]",
                     *         "include_job_name_in_title": false,
                     *         "notify_on_backup_start": false,
                     *         "notify_on_backup_success": false,
                     *         "notify_on_backup_failure": false,
                     *         "notify_on_restore_success": false,
                     *         "notify_on_restore_failure": false,
                     *         "notify_on_check_success": false,
                     *         "notify_on_check_failure": false,
                     *         "notify_on_schedule_failure": false,
                     *         "notify_on_backup_warning": false,
                     *         "notify_on_backup_late": false,
                     *         "notify_on_backup_on_time_again": false,
                     *         "notify_on_damaged": false,
                     *         "notify_on_retention_paused": false,
                     *         "notify_on_incident": false,
                     *         "notify_on_report_weekly": false,
                     *         "monitor_all_repositories": false,
                     *         "failure_grouping_minutes": 1,
                     *         "repositories": [
                     *           {
                     *             "id": 1,
                     *             "name": "Chat"
                     *           }
                     *         ],
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "last_used_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NotificationSettingView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Chat",
                 *       "service_url": "jsons://user:password@hooks.example.org/backup",
                 *       "notify_on_backup_success": true
                 *     }
                 */
                "application/json": components["schemas"]["NotificationsCreateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Home",
                     *       "service_url": "jsons://user:***@hooks.example.org/backup",
                     *       "enabled": true,
                     *       "title_prefix": "[nas]",
                     *       "include_job_name_in_title": false,
                     *       "notify_on_backup_start": false,
                     *       "notify_on_backup_success": false,
                     *       "notify_on_backup_failure": false,
                     *       "notify_on_restore_success": false,
                     *       "notify_on_restore_failure": false,
                     *       "notify_on_check_success": false,
                     *       "notify_on_check_failure": false,
                     *       "notify_on_schedule_failure": false,
                     *       "notify_on_backup_warning": false,
                     *       "notify_on_backup_late": false,
                     *       "notify_on_backup_on_time_again": false,
                     *       "notify_on_damaged": false,
                     *       "notify_on_retention_paused": false,
                     *       "notify_on_incident": false,
                     *       "notify_on_report_weekly": false,
                     *       "monitor_all_repositories": false,
                     *       "failure_grouping_minutes": 1,
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "last_used_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationSettingWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service_url": "jsons://user:***@hooks.example.org/backup"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationTest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsTestAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsServices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "service": "ntfy",
                     *         "name": "ntfy",
                     *         "schemes": [
                     *           "ntfys",
                     *           "ntfy"
                     *         ],
                     *         "fields": [
                     *           {
                     *             "name": "topic",
                     *             "label": "Topic",
                     *             "kind": "secret",
                     *             "required": false,
                     *             "help": "Up to 64 letters, digits, _ and -.",
                     *             "example": "backups-x7Kq2"
                     *           }
                     *         ],
                     *         "template": "{scheme}://{+host}/{topic}{?token}"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NotificationServiceView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the notification setting. */
                setting_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Chat",
                     *       "service_url": "jsons://user:password@hooks.example.org/backup",
                     *       "enabled": true,
                     *       "title_prefix": "[nas]",
                     *       "include_job_name_in_title": false,
                     *       "notify_on_backup_start": false,
                     *       "notify_on_backup_success": false,
                     *       "notify_on_backup_failure": false,
                     *       "notify_on_restore_success": false,
                     *       "notify_on_restore_failure": false,
                     *       "notify_on_check_success": false,
                     *       "notify_on_check_failure": false,
                     *       "notify_on_schedule_failure": false,
                     *       "notify_on_backup_warning": false,
                     *       "notify_on_backup_late": false,
                     *       "notify_on_backup_on_time_again": false,
                     *       "notify_on_damaged": false,
                     *       "notify_on_retention_paused": false,
                     *       "notify_on_incident": false,
                     *       "notify_on_report_weekly": false,
                     *       "monitor_all_repositories": false,
                     *       "failure_grouping_minutes": 1,
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Chat"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "last_used_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationSettingView"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the notification setting. */
                setting_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notify_on_backup_success": false,
                 *       "failure_grouping_minutes": 60
                 *     }
                 */
                "application/json": components["schemas"]["NotificationsUpdateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Home",
                     *       "service_url": "jsons://user:***@hooks.example.org/backup",
                     *       "enabled": true,
                     *       "title_prefix": "[nas]",
                     *       "include_job_name_in_title": false,
                     *       "notify_on_backup_start": false,
                     *       "notify_on_backup_success": false,
                     *       "notify_on_backup_failure": false,
                     *       "notify_on_restore_success": false,
                     *       "notify_on_restore_failure": false,
                     *       "notify_on_check_success": false,
                     *       "notify_on_check_failure": false,
                     *       "notify_on_schedule_failure": false,
                     *       "notify_on_backup_warning": false,
                     *       "notify_on_backup_late": false,
                     *       "notify_on_backup_on_time_again": false,
                     *       "notify_on_damaged": false,
                     *       "notify_on_retention_paused": false,
                     *       "notify_on_incident": false,
                     *       "notify_on_report_weekly": false,
                     *       "monitor_all_repositories": false,
                     *       "failure_grouping_minutes": 1,
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "last_used_at": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationSettingWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the notification setting. */
                setting_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsDeliveries: {
        parameters: {
            query?: {
                /** @description `collecting`: waiting for more failures of the same kind. `pending`: will be sent or retried. `parked`: given up; see `last_error`. */
                status?: "collecting" | "pending" | "delivered" | "parked";
                /** @description At most so many entries. */
                limit?: number;
                /** @description So many entries are passed over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the notification setting. */
                setting_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "deliveries": [
                     *         {
                     *           "id": 1,
                     *           "message_id": "5f0d2c9a-7a3b-4f0e-9a52-3c7f1d1f8b11",
                     *           "event": "backup_failure",
                     *           "event_at": "2026-03-01T02:00:00.000Z",
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "job_id": null,
                     *           "count": 1,
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "next_attempt_at": "2026-03-01T02:00:00.000Z",
                     *           "last_error": null,
                     *           "last_error_code": null,
                     *           "last_error_params": {},
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "delivered_at": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsDeliveriesAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notificationsResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the notification setting. */
                setting_id: number;
                /** @description Id of the message. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "delivery": {
                     *         "id": 1,
                     *         "message_id": "5f0d2c9a-7a3b-4f0e-9a52-3c7f1d1f8b11",
                     *         "event": "backup_failure",
                     *         "event_at": "2026-03-01T02:00:00.000Z",
                     *         "repository_id": 1,
                     *         "repository_name": "Home",
                     *         "job_id": null,
                     *         "count": 1,
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "next_attempt_at": "2026-03-01T02:00:00.000Z",
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {},
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "delivered_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsResendAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    overviewGet: {
        parameters: {
            query?: {
                /** @description IANA name: days begin at midnight there. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "headline": {
                     *         "code": "attention_late",
                     *         "params": {
                     *           "name": "Home"
                     *         },
                     *         "text": "The newest archive is 9.5 h old; the objective is 26 h.",
                     *         "state": "empty"
                     *       },
                     *       "counts": {
                     *         "total": 1,
                     *         "protected": 1,
                     *         "late": 1,
                     *         "unknown": 1,
                     *         "damaged": 1,
                     *         "running": 1,
                     *         "elsewhere": 1
                     *       },
                     *       "moved_in": {
                     *         "total": 1,
                     *         "observed": 1,
                     *         "first_backup": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "oldest_newest_archive": {
                     *         "repository_id": 1,
                     *         "name": "Home",
                     *         "at": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "next_run": {
                     *         "schedule_id": 1,
                     *         "name": "Home",
                     *         "at": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "attention": [
                     *         {
                     *           "code": "attention_late",
                     *           "params": {
                     *             "name": "Home"
                     *           },
                     *           "text": "The newest archive is 9.5 h old; the objective is 26 h.",
                     *           "cause": "late",
                     *           "object": {
                     *             "kind": "repository",
                     *             "id": 1,
                     *             "name": "Home"
                     *           },
                     *           "since": "2026-03-01T02:00:00.000Z",
                     *           "incident_id": null,
                     *           "snoozed_until": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ],
                     *       "attention_total": 1,
                     *       "timezone": "Europe/Berlin",
                     *       "first_day": "2026-03-01",
                     *       "last_day": "2026-03-01",
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home",
                     *           "status": "protected",
                     *           "damaged": false,
                     *           "reason": {
                     *             "code": "attention_late",
                     *             "params": {
                     *               "name": "Home"
                     *             },
                     *             "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *           },
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "protected_until": "2026-03-01T02:00:00.000Z",
                     *           "made_elsewhere": false,
                     *           "archives_as_of": "2026-03-01T02:00:00.000Z",
                     *           "archive_count": 31,
                     *           "size_bytes": 1204117,
                     *           "free_bytes": null,
                     *           "mode": "full",
                     *           "next_run": "2026-03-01T02:00:00.000Z",
                     *           "running": {
                     *             "job_id": 1,
                     *             "kind": "backup",
                     *             "percent": 0,
                     *             "seconds_remaining": null
                     *           },
                     *           "last_check": "2026-03-01T02:00:00.000Z",
                     *           "last_restore": "2026-03-01T02:00:00.000Z",
                     *           "last_verified_restore": "2026-03-01T02:00:00.000Z",
                     *           "coverage_percent": 41.5,
                     *           "days": "oooowoofooooooooooooomooooooo-"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    ownBackupGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "enabled": true,
                     *       "repository_id": 1,
                     *       "schedule_id": null,
                     *       "path": "/backups/home",
                     *       "connection_id": null,
                     *       "suggested_path": null,
                     *       "same_disk": false,
                     *       "cron_expression": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "last_backup_at": "2026-03-01T02:00:00.000Z",
                     *       "next_run": "2026-03-01T02:00:00.000Z",
                     *       "last_error": null,
                     *       "last_error_code": null,
                     *       "last_error_params": {},
                     *       "warnings": [
                     *         "The own backup lies on the disk of the data folder."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OwnBackupView"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    ownBackupPut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "path": "/mnt/backup/holdfast-own-backup",
                 *       "remote_path": "borg-linux64",
                 *       "cron_expression": "15 1 * * *",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["OwnBackupChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "enabled": true,
                     *       "repository_id": 1,
                     *       "schedule_id": null,
                     *       "path": "/backups/home",
                     *       "connection_id": null,
                     *       "suggested_path": null,
                     *       "same_disk": false,
                     *       "cron_expression": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "last_backup_at": "2026-03-01T02:00:00.000Z",
                     *       "next_run": "2026-03-01T02:00:00.000Z",
                     *       "last_error": null,
                     *       "last_error_code": null,
                     *       "last_error_params": {},
                     *       "warnings": [
                     *         "The own backup lies on the disk of the data folder."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OwnBackupView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    placesBrowse: {
        parameters: {
            query?: {
                /** @description Absolute path, as `path` of an item. */
                path?: string;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "current_path": "/backups",
                     *       "parent_path": null,
                     *       "free_bytes": null,
                     *       "mount": null,
                     *       "repository": false,
                     *       "items": [
                     *         {
                     *           "name": "Home",
                     *           "path": "/backups/home",
                     *           "type": "file",
                     *           "is_directory": false,
                     *           "size": 1637,
                     *           "modified": "2026-03-01T02:00:00.000Z",
                     *           "permissions": "drwxr-xr-x",
                     *           "readable": null,
                     *           "repository": false
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["FolderView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    placesPreflight: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_directories": [
                 *         "/home"
                 *       ],
                 *       "custom_flags": "--one-file-system",
                 *       "path": "/backups/home",
                 *       "remote_path": "borg-linux64"
                 *     }
                 */
                "application/json": components["schemas"]["PreflightInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "complete": true,
                     *       "files": null,
                     *       "bytes": 1706203,
                     *       "symlinks": null,
                     *       "unreadable": {
                     *         "count": 1,
                     *         "paths": [
                     *           "home/ann/letters"
                     *         ]
                     *       },
                     *       "missing": [
                     *         "/mnt/photos"
                     *       ],
                     *       "symlink_sources": [
                     *         "/srv/data"
                     *       ],
                     *       "unchecked_patterns": [
                     *         "re:\\.tmp$"
                     *       ],
                     *       "free_bytes": null,
                     *       "same_disk": [
                     *         "/home"
                     *       ],
                     *       "tool": "borg 1.2.4",
                     *       "warnings": [
                     *         {
                     *           "code": "source_missing",
                     *           "params": {},
                     *           "text": "These sources do not exist: /mnt/photos. Correct or mount them."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PreflightResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverySheet: {
        parameters: {
            query?: {
                /** @description A4 pages, or the same as text or data. */
                format?: "pdf" | "text" | "json";
                /** @description Shows passphrases and keys. */
                secrets?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoveryMakeSheet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seal_passphrase": "a long passphrase"
                 *     }
                 */
                "application/json": components["schemas"]["SheetOrder"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoveryNoteSaved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["SavedSheet"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverySheetState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "state": "never",
                     *       "made_at": "2026-03-01T02:00:00.000Z",
                     *       "made_by": null,
                     *       "reason": {
                     *         "code": "attention_late",
                     *         "params": {
                     *           "name": "Home"
                     *         },
                     *         "text": "The newest archive is 9.5 h old; the objective is 26 h."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SheetState"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home",
                     *           "path": "/backups/home",
                     *           "encryption": "repokey",
                     *           "compression": "lz4",
                     *           "source_directories": [
                     *             "/home"
                     *           ],
                     *           "exclude_patterns": [
                     *             "*.tmp"
                     *           ],
                     *           "repository_type": "local",
                     *           "host": null,
                     *           "port": null,
                     *           "username": null,
                     *           "ssh_key_id": null,
                     *           "connection_id": null,
                     *           "source_ssh_connection_id": null,
                     *           "source_set_id": 1,
                     *           "remote_path": null,
                     *           "last_backup": "2026-03-01T02:00:00.000Z",
                     *           "last_check": "2026-03-01T02:00:00.000Z",
                     *           "last_compact": "2026-03-01T02:00:00.000Z",
                     *           "total_size": "1.59 GB",
                     *           "total_size_bytes": null,
                     *           "free_bytes": null,
                     *           "location_total_bytes": null,
                     *           "location_as_of": "2026-03-01T02:00:00.000Z",
                     *           "archive_count": 31,
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "updated_at": "2026-03-01T02:00:00.000Z",
                     *           "pre_backup_script": null,
                     *           "post_backup_script": null,
                     *           "hook_timeout": 1,
                     *           "pre_hook_timeout": 1,
                     *           "post_hook_timeout": 1,
                     *           "continue_on_hook_failure": false,
                     *           "mode": "full",
                     *           "bypass_lock": false,
                     *           "custom_flags": "--one-file-system",
                     *           "freshness_hours": null,
                     *           "shrink_warning_percent": 1,
                     *           "left_out": null,
                     *           "has_running_maintenance": false,
                     *           "has_keyfile": false,
                     *           "own_backup": false,
                     *           "open_error": null,
                     *           "open_error_code": null,
                     *           "open_error_params": {},
                     *           "open_error_at": "2026-03-01T02:00:00.000Z",
                     *           "append_only": false,
                     *           "unsigned_archives": 1,
                     *           "open_error_kind": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoriesListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Home",
                 *       "path": "/backups/home",
                 *       "passphrase": "a long passphrase",
                 *       "source_directories": [
                 *         "/home"
                 *       ],
                 *       "exclude_patterns": [
                 *         "*.tmp"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RepositoriesCreateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Home",
                 *       "path": "/backups/home",
                 *       "passphrase": "a long passphrase",
                 *       "source_directories": [
                 *         "/home"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RepositoriesImportBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoriesGetAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "compression": "zstd,3",
                 *       "freshness_hours": 26
                 *     }
                 */
                "application/json": components["schemas"]["RepositoriesUpdateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "switched_off": {
                     *         "schedules": [
                     *           {
                     *             "id": 1,
                     *             "name": "Home",
                     *             "disabled": false
                     *           }
                     *         ],
                     *         "check_schedule": false,
                     *         "drill_schedule": false,
                     *         "notifications": [
                     *           {
                     *             "id": 1,
                     *             "name": "Home"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoriesDeleteAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesSetPassphrase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "a long passphrase"
                 *     }
                 */
                "application/json": components["schemas"]["NewPassphrase"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "opens": false,
                     *       "message": "Done.",
                     *       "reason": "A directory is never replaced.",
                     *       "reason_code": null,
                     *       "reason_params": {},
                     *       "code": "passphrase_wrong"
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryTested"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesAcceptIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm_name": "Home"
                 *     }
                 */
                "application/json": components["schemas"]["IdentityAcceptance"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "before": {
                     *         "repository_id": "9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c",
                     *         "encryption": "repokey-blake2"
                     *       },
                     *       "after": {
                     *         "repository_id": "9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c",
                     *         "encryption": "repokey-blake2"
                     *       },
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home",
                     *         "encryption": "repokey",
                     *         "compression": "lz4",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "repository_type": "local",
                     *         "host": null,
                     *         "port": null,
                     *         "username": null,
                     *         "ssh_key_id": null,
                     *         "connection_id": null,
                     *         "source_ssh_connection_id": null,
                     *         "source_set_id": 1,
                     *         "remote_path": null,
                     *         "last_backup": "2026-03-01T02:00:00.000Z",
                     *         "last_check": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "total_size": "1.59 GB",
                     *         "total_size_bytes": null,
                     *         "free_bytes": null,
                     *         "location_total_bytes": null,
                     *         "location_as_of": "2026-03-01T02:00:00.000Z",
                     *         "archive_count": 31,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "pre_backup_script": null,
                     *         "post_backup_script": null,
                     *         "hook_timeout": 1,
                     *         "pre_hook_timeout": 1,
                     *         "post_hook_timeout": 1,
                     *         "continue_on_hook_failure": false,
                     *         "mode": "full",
                     *         "bypass_lock": false,
                     *         "custom_flags": "--one-file-system",
                     *         "freshness_hours": null,
                     *         "shrink_warning_percent": 1,
                     *         "left_out": null,
                     *         "has_running_maintenance": false,
                     *         "has_keyfile": false,
                     *         "own_backup": false,
                     *         "open_error": null,
                     *         "open_error_code": null,
                     *         "open_error_params": {},
                     *         "open_error_at": "2026-03-01T02:00:00.000Z",
                     *         "append_only": false,
                     *         "unsigned_archives": 1,
                     *         "open_error_kind": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityAccepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesDownloadKeyFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    repositoriesUploadKeyFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description A form with the file part `keyfile`. */
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["RepositoriesUploadKeyFileBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "keyfile_name": "repository-1.key"
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoriesUploadKeyFileAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restorePlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository": "/backups/home",
                 *       "archive": "nas-home-2026-03-01T02:00:00",
                 *       "paths": [
                 *         "home/ann/letters"
                 *       ],
                 *       "destination": "/srv/restored"
                 *     }
                 */
                "application/json": components["schemas"]["RestoreInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "plan_id": "0b6c6c5e-7d0f-4c0b-8d5e-2b1f6a0c9d3e",
                     *       "expires_at": "2026-03-01T02:00:00.000Z",
                     *       "can_start": true,
                     *       "obstacles": [],
                     *       "obstacle_codes": [],
                     *       "repository": "/backups/home",
                     *       "repository_id": 1,
                     *       "archive": "nas-home-2026-03-01T02:00:00",
                     *       "archive_id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *       "destination": "/srv/restored",
                     *       "destination_connection_id": null,
                     *       "destination_host": null,
                     *       "files": 1,
                     *       "directories": 1,
                     *       "links": 1,
                     *       "others": 1,
                     *       "bytes": 1706203,
                     *       "free_bytes": 400000000000,
                     *       "damaged_files": 1,
                     *       "without_name": 1,
                     *       "collisions": {
                     *         "count": 1,
                     *         "examples": [
                     *           {
                     *             "path": "home/ann/letters/march.txt",
                     *             "there": "file"
                     *           }
                     *         ]
                     *       },
                     *       "blocked": {
                     *         "count": 1,
                     *         "examples": [
                     *           {
                     *             "path": "home/ann/letters/march.txt",
                     *             "reason": "A directory is never replaced."
                     *           }
                     *         ]
                     *       },
                     *       "links_leaving": {
                     *         "count": 1,
                     *         "examples": [
                     *           {
                     *             "path": "home/ann/letters/march.txt",
                     *             "target": "/etc/hostname"
                     *           }
                     *         ]
                     *       },
                     *       "owners": {
                     *         "can_be_set": false,
                     *         "by": "numbers",
                     *         "owners": [
                     *           {
                     *             "owner": "ann",
                     *             "count": 1,
                     *             "ids": "1000:1000",
                     *             "names_there": null,
                     *             "ids_there": null
                     *           }
                     *         ]
                     *       },
                     *       "not_kept": [
                     *         "owners"
                     *       ],
                     *       "remarks": [],
                     *       "remark_codes": []
                     *     }
                     */
                    "application/json": components["schemas"]["RestorePlanView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository": "/backups/home",
                 *       "archive": "nas-home-2026-03-01T02:00:00",
                 *       "paths": [
                 *         "home/ann/letters"
                 *       ],
                 *       "destination": "/srv/restored"
                 *     }
                 */
                "application/json": components["schemas"]["RestoreStartInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreStartAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreJobs: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "repository": "/backups/home",
                     *           "repository_id": 1,
                     *           "repository_name": "Home",
                     *           "archive": "nas-home-2026-03-01T02:00:00",
                     *           "destination": "/srv/restored",
                     *           "destination_connection_id": null,
                     *           "destination_host": null,
                     *           "paths": [
                     *             "home/ann/letters"
                     *           ],
                     *           "overwrite": false,
                     *           "skip_existing": false,
                     *           "strip_components": 1,
                     *           "status": "completed",
                     *           "requested_by": "admin",
                     *           "requested_at": "2026-03-01T02:00:00.000Z",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "progress": 100,
                     *           "progress_details": {
                     *             "nfiles": 1042,
                     *             "current_file": "home/ann/letters/march.txt",
                     *             "progress_percent": 100,
                     *             "restore_speed": 61.5,
                     *             "estimated_time_remaining": 1
                     *           },
                     *           "progress_message": null,
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "waiting_for": null,
                     *           "waiting_for_code": null,
                     *           "waiting_for_params": {},
                     *           "has_logs": true,
                     *           "restored": null,
                     *           "replaced": null,
                     *           "kept": null,
                     *           "restored_bytes": null,
                     *           "by_type": {
                     *             "files": 1,
                     *             "directories": 1,
                     *             "links": 1,
                     *             "others": 1
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreJobsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "repository": "/backups/home",
                     *       "repository_id": 1,
                     *       "repository_name": "Home",
                     *       "archive": "nas-home-2026-03-01T02:00:00",
                     *       "destination": "/srv/restored",
                     *       "destination_connection_id": null,
                     *       "destination_host": null,
                     *       "paths": [
                     *         "home/ann/letters"
                     *       ],
                     *       "overwrite": false,
                     *       "skip_existing": false,
                     *       "strip_components": 1,
                     *       "status": "completed",
                     *       "requested_by": "admin",
                     *       "requested_at": "2026-03-01T02:00:00.000Z",
                     *       "started_at": "2026-03-01T02:00:00.000Z",
                     *       "completed_at": "2026-03-01T02:00:00.000Z",
                     *       "progress": 100,
                     *       "progress_details": {
                     *         "nfiles": 1042,
                     *         "current_file": "home/ann/letters/march.txt",
                     *         "progress_percent": 100,
                     *         "restore_speed": 61.5,
                     *         "estimated_time_remaining": 1
                     *       },
                     *       "progress_message": null,
                     *       "error_message": null,
                     *       "error_code": null,
                     *       "error_params": {},
                     *       "waiting_for": null,
                     *       "waiting_for_code": null,
                     *       "waiting_for_params": {},
                     *       "has_logs": true,
                     *       "restored": null,
                     *       "replaced": null,
                     *       "kept": null,
                     *       "restored_bytes": null,
                     *       "by_type": {
                     *         "files": 1,
                     *         "directories": 1,
                     *         "links": 1,
                     *         "others": 1
                     *       },
                     *       "success": true,
                     *       "logs": null
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreStatusAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "process_terminated": false
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreCancelAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreManifest: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "entries": [
                     *         {
                     *           "path": "srv/restored/letters/march.txt",
                     *           "type": "file",
                     *           "result": "restored",
                     *           "size": 1637
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreManifest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreLog: {
        parameters: {
            query?: {
                /** @description So many entries are passed over. */
                offset?: number;
                /** @description At most so many entries. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "status": "completed",
                     *       "lines": [
                     *         {
                     *           "line_number": 1,
                     *           "content": "Creating archive at \"/backups/home\""
                     *         }
                     *       ],
                     *       "total_lines": 1,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreDownloadLog: {
        parameters: {
            query?: {
                /** @description A single-use ticket for this download, from POST /api/download-tickets. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreArchives: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repository_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "archives": [
                     *         {
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "name": "nas-home-2026-03-01T02:00:00",
                     *           "archive": "nas-home-2026-03-01T02:00:00",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "time": "2026-03-01T02:00:00.000Z",
                     *           "end": "2026-03-01T02:00:00.000Z",
                     *           "hostname": "nas",
                     *           "username": "ann",
                     *           "comment": "",
                     *           "original_size": 1706203,
                     *           "compressed_size": 1204117,
                     *           "deduplicated_size": 40231,
                     *           "added_size": null,
                     *           "nfiles": 1042,
                     *           "damaged": false,
                     *           "unsigned": false,
                     *           "made_by": "schedule",
                     *           "schedule_id": null,
                     *           "adopted": false,
                     *           "kept_by": "daily #3"
                     *         }
                     *       ],
                     *       "repository": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "path": "/backups/home"
                     *       },
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "next_before": "1772330400000-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreContents: {
        parameters: {
            query?: {
                /** @description Path inside the archive; empty: the top. */
                path?: string;
            };
            header?: never;
            path: {
                /** @description Id of the repository. */
                repository_id: number;
                /** @description Name of the archive, percent-encoded, or its id of 64 hex digits. */
                archive_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "items": [
                     *         {
                     *           "name": "march.txt",
                     *           "type": "file",
                     *           "size": 1637,
                     *           "mtime": "2026-03-01T02:00:00.000Z",
                     *           "path": "home/ann/letters/march.txt",
                     *           "healthy": true
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "path": "home/ann/letters"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveContents"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobs": [
                     *         {
                     *           "id": 1,
                     *           "name": "Nightly",
                     *           "cron_expression": "0 2 * * *",
                     *           "by_hand_only": false,
                     *           "timezone": "Europe/Berlin",
                     *           "catch_up": "one",
                     *           "repository": "/backups/home",
                     *           "repository_id": 1,
                     *           "repository_ids": [
                     *             1
                     *           ],
                     *           "enabled": true,
                     *           "last_run": "2026-03-01T02:00:00.000Z",
                     *           "next_run": "2026-03-01T02:00:00.000Z",
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "updated_at": "2026-03-01T02:00:00.000Z",
                     *           "description": "Once a night, after the database was written out.",
                     *           "archive_name_template": "{job_name}-{repo_name}-{now}",
                     *           "run_repository_scripts": false,
                     *           "pre_backup_script_id": null,
                     *           "post_backup_script_id": null,
                     *           "pre_backup_script_parameters": {},
                     *           "post_backup_script_parameters": {},
                     *           "run_prune_after": false,
                     *           "run_compact_after": false,
                     *           "prune_keep_hourly": 1,
                     *           "prune_keep_daily": 7,
                     *           "prune_keep_weekly": 4,
                     *           "prune_keep_monthly": 6,
                     *           "prune_keep_quarterly": 1,
                     *           "prune_keep_yearly": 1,
                     *           "prune_keep_within": null,
                     *           "retention": "prunes",
                     *           "retention_paused": [
                     *             {
                     *               "repository_id": 1,
                     *               "repository_name": "Home",
                     *               "reason": "A directory is never replaced.",
                     *               "reason_code": null,
                     *               "reason_params": {},
                     *               "since": "2026-03-01T02:00:00.000Z",
                     *               "job_id": 1
                     *             }
                     *           ],
                     *           "last_prune": "2026-03-01T02:00:00.000Z",
                     *           "last_compact": "2026-03-01T02:00:00.000Z",
                     *           "last_error": null,
                     *           "last_error_code": null,
                     *           "last_error_params": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly",
                 *       "cron_expression": "0 2 * * *",
                 *       "timezone": "Europe/Berlin",
                 *       "repository_ids": [
                 *         1
                 *       ],
                 *       "run_prune_after": true
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesCreateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "job": {
                     *         "id": 1,
                     *         "name": "Nightly",
                     *         "cron_expression": "0 2 * * *",
                     *         "by_hand_only": false,
                     *         "timezone": "Europe/Berlin",
                     *         "catch_up": "one",
                     *         "repository": "/backups/home",
                     *         "repository_id": 1,
                     *         "repository_ids": [
                     *           1
                     *         ],
                     *         "enabled": true,
                     *         "last_run": "2026-03-01T02:00:00.000Z",
                     *         "next_run": "2026-03-01T02:00:00.000Z",
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "description": "Once a night, after the database was written out.",
                     *         "archive_name_template": "{job_name}-{repo_name}-{now}",
                     *         "run_repository_scripts": false,
                     *         "pre_backup_script_id": null,
                     *         "post_backup_script_id": null,
                     *         "pre_backup_script_parameters": {},
                     *         "post_backup_script_parameters": {},
                     *         "run_prune_after": false,
                     *         "run_compact_after": false,
                     *         "prune_keep_hourly": 1,
                     *         "prune_keep_daily": 7,
                     *         "prune_keep_weekly": 4,
                     *         "prune_keep_monthly": 6,
                     *         "prune_keep_quarterly": 1,
                     *         "prune_keep_yearly": 1,
                     *         "prune_keep_within": null,
                     *         "retention": "prunes",
                     *         "retention_paused": [
                     *           {
                     *             "repository_id": 1,
                     *             "repository_name": "Home",
                     *             "reason": "A directory is never replaced.",
                     *             "reason_code": null,
                     *             "reason_params": {},
                     *             "since": "2026-03-01T02:00:00.000Z",
                     *             "job_id": 1
                     *           }
                     *         ],
                     *         "last_prune": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesCronPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "presets": [
                     *         {
                     *           "name": "Daily",
                     *           "expression": "0 2 * * *",
                     *           "description": "Every day at two."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesCronPresetsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesValidateCron: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "minute": "0",
                 *       "hour": "2",
                 *       "day_of_week": "1-5",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesValidateCronBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "cron_expression": "0 2 * * *",
                     *       "next_runs": [
                     *         "2026-03-02T02:00:00.000Z"
                     *       ],
                     *       "description": "At 02:00, Monday through Friday."
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesValidateCronAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron_expression": "0 2 * * *",
                 *       "timezone": "Europe/Berlin",
                 *       "prune_keep_daily": 7,
                 *       "repository_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesPreviewBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "next_runs": [
                     *         "2026-03-02T02:00:00.000Z"
                     *       ],
                     *       "description": null,
                     *       "archives": [
                     *         {
                     *           "name": "Home",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "rule": "weekly #2",
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "schedule_id": null
                     *         }
                     *       ],
                     *       "kept_count": null,
                     *       "removed_count": null,
                     *       "as_of": "2026-03-01T02:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PreviewAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesUpcomingJobs: {
        parameters: {
            query?: {
                /** @description How far to look ahead. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "upcoming_jobs": [
                     *         {
                     *           "id": 1,
                     *           "name": "Nightly",
                     *           "repository": "/backups/home",
                     *           "repositories": [
                     *             {
                     *               "id": 1,
                     *               "name": "Nightly"
                     *             }
                     *           ],
                     *           "next_run": "2026-03-01T02:00:00.000Z",
                     *           "cron_expression": "0 2 * * *"
                     *         }
                     *       ],
                     *       "hours_ahead": 24
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesUpcomingJobsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "cron_expression": "0 2 * * *",
                     *         "by_hand_only": false,
                     *         "timezone": "Europe/Berlin",
                     *         "catch_up": "one",
                     *         "repository": "/backups/home",
                     *         "repository_id": 1,
                     *         "repository_ids": [
                     *           1
                     *         ],
                     *         "enabled": true,
                     *         "last_run": "2026-03-01T02:00:00.000Z",
                     *         "next_run": "2026-03-01T02:00:00.000Z",
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "description": null,
                     *         "archive_name_template": "{job_name}-{repo_name}-{now}",
                     *         "run_repository_scripts": false,
                     *         "pre_backup_script_id": null,
                     *         "post_backup_script_id": null,
                     *         "pre_backup_script_parameters": {},
                     *         "post_backup_script_parameters": {},
                     *         "run_prune_after": false,
                     *         "run_compact_after": false,
                     *         "prune_keep_hourly": 1,
                     *         "prune_keep_daily": 7,
                     *         "prune_keep_weekly": 4,
                     *         "prune_keep_monthly": 6,
                     *         "prune_keep_quarterly": 1,
                     *         "prune_keep_yearly": 1,
                     *         "prune_keep_within": null,
                     *         "retention": "prunes",
                     *         "retention_paused": [
                     *           {
                     *             "repository_id": 1,
                     *             "repository_name": "Home",
                     *             "reason": "A directory is never replaced.",
                     *             "reason_code": null,
                     *             "reason_params": {},
                     *             "since": "2026-03-01T02:00:00.000Z",
                     *             "job_id": 1
                     *           }
                     *         ],
                     *         "last_prune": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {},
                     *         "next_runs": [
                     *           "2026-03-02T02:00:00.000Z"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesGetAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron_expression": "30 3 * * *",
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesUpdateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "job": {
                     *         "id": 1,
                     *         "name": "Nightly",
                     *         "cron_expression": "0 2 * * *",
                     *         "by_hand_only": false,
                     *         "timezone": "Europe/Berlin",
                     *         "catch_up": "one",
                     *         "repository": "/backups/home",
                     *         "repository_id": 1,
                     *         "repository_ids": [
                     *           1
                     *         ],
                     *         "enabled": true,
                     *         "last_run": "2026-03-01T02:00:00.000Z",
                     *         "next_run": "2026-03-01T02:00:00.000Z",
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "description": "Once a night, after the database was written out.",
                     *         "archive_name_template": "{job_name}-{repo_name}-{now}",
                     *         "run_repository_scripts": false,
                     *         "pre_backup_script_id": null,
                     *         "post_backup_script_id": null,
                     *         "pre_backup_script_parameters": {},
                     *         "post_backup_script_parameters": {},
                     *         "run_prune_after": false,
                     *         "run_compact_after": false,
                     *         "prune_keep_hourly": 1,
                     *         "prune_keep_daily": 7,
                     *         "prune_keep_weekly": 4,
                     *         "prune_keep_monthly": 6,
                     *         "prune_keep_quarterly": 1,
                     *         "prune_keep_yearly": 1,
                     *         "prune_keep_within": null,
                     *         "retention": "prunes",
                     *         "retention_paused": [
                     *           {
                     *             "repository_id": 1,
                     *             "repository_name": "Home",
                     *             "reason": "A directory is never replaced.",
                     *             "reason_code": null,
                     *             "reason_params": {},
                     *             "since": "2026-03-01T02:00:00.000Z",
                     *             "job_id": 1
                     *           }
                     *         ],
                     *         "last_prune": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesToggle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesToggleAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesRunNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "job_id": 1,
                     *       "job_ids": [
                     *         1
                     *       ],
                     *       "status": "pending",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesRunNowAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesAdopt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository_id": 1,
                 *       "pattern": "nas-*",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesAdoptBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "dry_run": false,
                     *       "archives": [
                     *         {
                     *           "name": "Home",
                     *           "start": "2026-03-01T02:00:00.000Z",
                     *           "rule": "weekly #2",
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c"
                     *         }
                     *       ],
                     *       "already_count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AdoptAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesRelease: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repository_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesReleaseBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "archives": [
                     *         {
                     *           "id": "8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c8d5f3b0c",
                     *           "name": "Home"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReleaseAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesResumeRetention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "repository_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["ResumeInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "repository_ids": [
                     *         1
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ResumeAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesDuplicate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "job": {
                     *         "id": 1,
                     *         "name": "Nightly",
                     *         "cron_expression": "0 2 * * *",
                     *         "by_hand_only": false,
                     *         "timezone": "Europe/Berlin",
                     *         "catch_up": "one",
                     *         "repository": "/backups/home",
                     *         "repository_id": 1,
                     *         "repository_ids": [
                     *           1
                     *         ],
                     *         "enabled": true,
                     *         "last_run": "2026-03-01T02:00:00.000Z",
                     *         "next_run": "2026-03-01T02:00:00.000Z",
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "description": "Once a night, after the database was written out.",
                     *         "archive_name_template": "{job_name}-{repo_name}-{now}",
                     *         "run_repository_scripts": false,
                     *         "pre_backup_script_id": null,
                     *         "post_backup_script_id": null,
                     *         "pre_backup_script_parameters": {},
                     *         "post_backup_script_parameters": {},
                     *         "run_prune_after": false,
                     *         "run_compact_after": false,
                     *         "prune_keep_hourly": 1,
                     *         "prune_keep_daily": 7,
                     *         "prune_keep_weekly": 4,
                     *         "prune_keep_monthly": 6,
                     *         "prune_keep_quarterly": 1,
                     *         "prune_keep_yearly": 1,
                     *         "prune_keep_within": null,
                     *         "retention": "prunes",
                     *         "retention_paused": [
                     *           {
                     *             "repository_id": 1,
                     *             "repository_name": "Home",
                     *             "reason": "A directory is never replaced.",
                     *             "reason_code": null,
                     *             "reason_params": {},
                     *             "since": "2026-03-01T02:00:00.000Z",
                     *             "job_id": 1
                     *           }
                     *         ],
                     *         "last_prune": "2026-03-01T02:00:00.000Z",
                     *         "last_compact": "2026-03-01T02:00:00.000Z",
                     *         "last_error": null,
                     *         "last_error_code": null,
                     *         "last_error_params": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedulesRuns: {
        parameters: {
            query?: {
                /** @description At most so many entries. */
                limit?: number;
                /** @description So many entries are passed over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, or of the schedule. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "runs": [
                     *         {
                     *           "planned_at": "2026-03-01T02:00:00.000Z",
                     *           "trigger": "schedule",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "completed_at": "2026-03-01T02:00:00.000Z",
                     *           "late_seconds": 0.4,
                     *           "outcome": "running",
                     *           "reason": "A directory is never replaced.",
                     *           "reason_code": null,
                     *           "reason_params": {},
                     *           "job_ids": [
                     *             1
                     *           ],
                     *           "count": 1
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulesRunsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsList: {
        parameters: {
            query?: {
                /** @description Only scripts of this category. */
                category?: string;
                /** @description Part of the name or description. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Stop the database",
                     *         "description": null,
                     *         "category": "custom",
                     *         "timeout": 300,
                     *         "run_on": "always",
                     *         "parameters": [
                     *           {
                     *             "name": "CONTAINER",
                     *             "type": "text",
                     *             "default": "database",
                     *             "description": "Name of the container.",
                     *             "required": false
                     *           }
                     *         ],
                     *         "usage_count": 1,
                     *         "is_template": false,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScriptView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Stop the database",
                 *       "content": "#!/bin/sh\ndocker stop \"$CONTAINER\"\n"
                 *     }
                 */
                "application/json": components["schemas"]["NewScript"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Stop the database",
                     *       "description": null,
                     *       "category": "custom",
                     *       "timeout": 300,
                     *       "run_on": "always",
                     *       "parameters": [
                     *         {
                     *           "name": "CONTAINER",
                     *           "type": "text",
                     *           "default": "database",
                     *           "description": "Name of the container.",
                     *           "required": false
                     *         }
                     *       ],
                     *       "usage_count": 1,
                     *       "is_template": false,
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "content": "#!/bin/sh\ndocker stop \"$CONTAINER\"\n",
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup",
                     *           "enabled": true
                     *         }
                     *       ],
                     *       "schedules": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup"
                     *         }
                     *       ],
                     *       "recent_executions": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "job_id": null,
                     *           "hook_type": "pre-backup",
                     *           "status": "completed",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "exit_code": 0,
                     *           "execution_time": 0.8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsTestText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "script": "#!/bin/sh\necho hello\n"
                 *     }
                 */
                "application/json": components["schemas"]["AdHocTest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "exit_code": 0,
                     *       "stdout": "hello\n",
                     *       "stderr": "",
                     *       "execution_time": 0.8,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsCleanUpOrphans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "cleaned_up": 1,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptsCleanUpOrphansAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the script. */
                script_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Stop the database",
                     *       "description": null,
                     *       "category": "custom",
                     *       "timeout": 300,
                     *       "run_on": "always",
                     *       "parameters": [
                     *         {
                     *           "name": "CONTAINER",
                     *           "type": "text",
                     *           "default": "database",
                     *           "description": "Name of the container.",
                     *           "required": false
                     *         }
                     *       ],
                     *       "usage_count": 1,
                     *       "is_template": false,
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "content": "#!/bin/sh\ndocker stop \"$CONTAINER\"\n",
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup",
                     *           "enabled": true
                     *         }
                     *       ],
                     *       "schedules": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup"
                     *         }
                     *       ],
                     *       "recent_executions": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "job_id": null,
                     *           "hook_type": "pre-backup",
                     *           "status": "completed",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "exit_code": 0,
                     *           "execution_time": 0.8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptDetails"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the script. */
                script_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeout": 60,
                 *       "run_on": "success"
                 *     }
                 */
                "application/json": components["schemas"]["ScriptChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Stop the database",
                     *       "description": null,
                     *       "category": "custom",
                     *       "timeout": 300,
                     *       "run_on": "always",
                     *       "parameters": [
                     *         {
                     *           "name": "CONTAINER",
                     *           "type": "text",
                     *           "default": "database",
                     *           "description": "Name of the container.",
                     *           "required": false
                     *         }
                     *       ],
                     *       "usage_count": 1,
                     *       "is_template": false,
                     *       "created_at": "2026-03-01T02:00:00.000Z",
                     *       "updated_at": "2026-03-01T02:00:00.000Z",
                     *       "content": "#!/bin/sh\ndocker stop \"$CONTAINER\"\n",
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup",
                     *           "enabled": true
                     *         }
                     *       ],
                     *       "schedules": [
                     *         {
                     *           "id": 1,
                     *           "name": "Stop the database",
                     *           "hook_type": "pre-backup"
                     *         }
                     *       ],
                     *       "recent_executions": [
                     *         {
                     *           "id": 1,
                     *           "repository_id": 1,
                     *           "job_id": null,
                     *           "hook_type": "pre-backup",
                     *           "status": "completed",
                     *           "started_at": "2026-03-01T02:00:00.000Z",
                     *           "exit_code": 0,
                     *           "execution_time": 0.8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the script. */
                script_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the script. */
                script_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "parameter_values": {
                 *         "CONTAINER": "database"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScriptTest"] | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "exit_code": 0,
                     *       "stdout": "hello\n",
                     *       "stderr": "",
                     *       "execution_time": 0.8,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsListAttachments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pre_backup": [
                     *         {
                     *           "id": 1,
                     *           "script_id": 1,
                     *           "script_name": "Stop the database",
                     *           "script_description": null,
                     *           "hook_type": "pre-backup",
                     *           "execution_order": 1,
                     *           "enabled": true,
                     *           "custom_timeout": null,
                     *           "custom_run_on": null,
                     *           "continue_on_error": false,
                     *           "default_timeout": 300,
                     *           "default_run_on": "always",
                     *           "parameters": [
                     *             {
                     *               "name": "CONTAINER",
                     *               "type": "text",
                     *               "default": "database",
                     *               "description": "Name of the container.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "parameter_values": {}
                     *         }
                     *       ],
                     *       "post_backup": [
                     *         {
                     *           "id": 1,
                     *           "script_id": 1,
                     *           "script_name": "Stop the database",
                     *           "script_description": null,
                     *           "hook_type": "pre-backup",
                     *           "execution_order": 1,
                     *           "enabled": true,
                     *           "custom_timeout": null,
                     *           "custom_run_on": null,
                     *           "continue_on_error": false,
                     *           "default_timeout": 300,
                     *           "default_run_on": "always",
                     *           "parameters": [
                     *             {
                     *               "name": "CONTAINER",
                     *               "type": "text",
                     *               "default": "database",
                     *               "description": "Name of the container.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "parameter_values": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptsListAttachmentsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsAttach: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "script_id": 1,
                 *       "hook_type": "pre-backup",
                 *       "parameter_values": {
                 *         "CONTAINER": "database"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewAttachment"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": 1,
                     *       "attachment": {
                     *         "id": 1,
                     *         "script_id": 1,
                     *         "script_name": "Stop the database",
                     *         "script_description": null,
                     *         "hook_type": "pre-backup",
                     *         "execution_order": 1,
                     *         "enabled": true,
                     *         "custom_timeout": null,
                     *         "custom_run_on": null,
                     *         "continue_on_error": false,
                     *         "default_timeout": 300,
                     *         "default_run_on": "always",
                     *         "parameters": [
                     *           {
                     *             "name": "CONTAINER",
                     *             "type": "text",
                     *             "default": "database",
                     *             "description": "Name of the container.",
                     *             "required": false
                     *           }
                     *         ],
                     *         "parameter_values": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptsAttachAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsGetAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
                /** @description Id of the attachment. */
                attachment_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "attachment": {
                     *         "id": 1,
                     *         "script_id": 1,
                     *         "script_name": "Stop the database",
                     *         "script_description": null,
                     *         "hook_type": "pre-backup",
                     *         "execution_order": 1,
                     *         "enabled": true,
                     *         "custom_timeout": null,
                     *         "custom_run_on": null,
                     *         "continue_on_error": false,
                     *         "default_timeout": 300,
                     *         "default_run_on": "always",
                     *         "parameters": [
                     *           {
                     *             "name": "CONTAINER",
                     *             "type": "text",
                     *             "default": "database",
                     *             "description": "Name of the container.",
                     *             "required": false
                     *           }
                     *         ],
                     *         "parameter_values": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptsGetAttachmentAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsUpdateAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
                /** @description Id of the attachment. */
                attachment_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "execution_order": 2,
                 *       "continue_on_error": false
                 *     }
                 */
                "application/json": components["schemas"]["AttachmentChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": 1,
                     *       "attachment": {
                     *         "id": 1,
                     *         "script_id": 1,
                     *         "script_name": "Stop the database",
                     *         "script_description": null,
                     *         "hook_type": "pre-backup",
                     *         "execution_order": 1,
                     *         "enabled": true,
                     *         "custom_timeout": null,
                     *         "custom_run_on": null,
                     *         "continue_on_error": false,
                     *         "default_timeout": 300,
                     *         "default_run_on": "always",
                     *         "parameters": [
                     *           {
                     *             "name": "CONTAINER",
                     *             "type": "text",
                     *             "default": "database",
                     *             "description": "Name of the container.",
                     *             "required": false
                     *           }
                     *         ],
                     *         "parameter_values": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptsUpdateAttachmentAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    scriptsDetach: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the repository. */
                repo_id: number;
                /** @description Id of the attachment. */
                attachment_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sourceSetsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "source_sets": [
                     *         {
                     *           "id": 1,
                     *           "name": "Documents",
                     *           "source_directories": [
                     *             "/home"
                     *           ],
                     *           "exclude_patterns": [
                     *             "*.tmp"
                     *           ],
                     *           "source_connection_id": null,
                     *           "allow_parallel": false,
                     *           "repositories": [
                     *             {
                     *               "id": 1,
                     *               "name": "Documents"
                     *             }
                     *           ],
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "updated_at": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SourceSetsListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sourceSetsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Documents",
                 *       "source_directories": [
                 *         "/home"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewSourceSet"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "source_set": {
                     *         "id": 1,
                     *         "name": "Documents",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "source_connection_id": null,
                     *         "allow_parallel": false,
                     *         "repositories": [
                     *           {
                     *             "id": 1,
                     *             "name": "Documents"
                     *           }
                     *         ],
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SourceSetWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sourceSetsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the source set. */
                source_set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "source_set": {
                     *         "id": 1,
                     *         "name": "Documents",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "source_connection_id": null,
                     *         "allow_parallel": false,
                     *         "repositories": [
                     *           {
                     *             "id": 1,
                     *             "name": "Documents"
                     *           }
                     *         ],
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SourceSetsGetAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sourceSetsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the source set. */
                source_set_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "exclude_patterns": [
                 *         "*.tmp",
                 *         "/home/*\/.cache"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SourceSetChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "source_set": {
                     *         "id": 1,
                     *         "name": "Documents",
                     *         "source_directories": [
                     *           "/home"
                     *         ],
                     *         "exclude_patterns": [
                     *           "*.tmp"
                     *         ],
                     *         "source_connection_id": null,
                     *         "allow_parallel": false,
                     *         "repositories": [
                     *           {
                     *             "id": 1,
                     *             "name": "Documents"
                     *           }
                     *         ],
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SourceSetWritten"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sourceSetsDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the source set. */
                source_set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "ssh_keys": [
                     *         {
                     *           "id": 1,
                     *           "name": "System key",
                     *           "description": null,
                     *           "key_type": "rsa",
                     *           "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *           "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *           "is_system_key": true,
                     *           "is_active": true,
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "updated_at": "2026-03-01T02:00:00.000Z",
                     *           "connection_count": 1,
                     *           "active_connections": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysListAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysImportText: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "System key",
                 *       "private_key": "-----BEGIN OPENSSH PRIVATE KEY-----\n…"
                 *     }
                 */
                "application/json": components["schemas"]["SshKeyText"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysImportTextAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysSystemKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "exists": true,
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysSystemKeyAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysGenerate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "System key"
                 *     }
                 */
                "application/json": components["schemas"]["NewSshKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysGenerateAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "System key",
                 *       "private_key_path": "/root/.ssh/id_ed25519"
                 *     }
                 */
                "application/json": components["schemas"]["SshKeyToImport"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysImportAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysQuickSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "System key",
                 *       "host": "storage.example.org",
                 *       "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                 *       "default_path": "/backups",
                 *       "ssh_path_prefix": "/volume1"
                 *     }
                 */
                "application/json": components["schemas"]["QuickSetup"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysQuickSetupAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysListConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "connections": [
                     *         {
                     *           "id": 1,
                     *           "ssh_key_id": 1,
                     *           "ssh_key_name": null,
                     *           "host": "storage.example.org",
                     *           "username": "ann",
                     *           "port": 22,
                     *           "use_sftp_mode": false,
                     *           "default_path": "/backups",
                     *           "ssh_path_prefix": null,
                     *           "mount_point": null,
                     *           "trusted": false,
                     *           "sudo": false,
                     *           "jump_connection_id": null,
                     *           "allows": "commands",
                     *           "status": "connected",
                     *           "last_test": "2026-03-01T02:00:00.000Z",
                     *           "last_success": "2026-03-01T02:00:00.000Z",
                     *           "error_message": null,
                     *           "error_code": null,
                     *           "error_params": {},
                     *           "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *           "offered_host_key_fingerprint": null,
                     *           "storage": {
                     *             "total": 1000000000000,
                     *             "used": 600000000000,
                     *             "available": 400000000000,
                     *             "total_formatted": "931.32 GB",
                     *             "used_formatted": "558.79 GB",
                     *             "available_formatted": "372.53 GB",
                     *             "percent_used": 60,
                     *             "last_check": "2026-03-01T02:00:00.000Z"
                     *           },
                     *           "created_at": "2026-03-01T02:00:00.000Z",
                     *           "updated_at": "2026-03-01T02:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysListConnectionsAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysGetConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysGetConnectionAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysUpdateConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "storage.example.org",
                 *       "default_path": "/backups",
                 *       "ssh_path_prefix": "/volume1"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysUpdateConnectionAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysDeleteConnection: {
        parameters: {
            query?: {
                /** @description User and host of the connection, if repositories use it. */
                confirm?: string;
            };
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysTestConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       },
                     *       "error": null,
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       },
                     *       "status": "unknown"
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysTestConnectionAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysRefreshStorage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       },
                     *       "storage": {
                     *         "total": 1000000000000,
                     *         "used": 600000000000,
                     *         "available": 400000000000,
                     *         "total_formatted": "931.32 GB",
                     *         "used_formatted": "558.79 GB",
                     *         "available_formatted": "372.53 GB",
                     *         "percent_used": 60,
                     *         "last_check": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysRefreshStorageAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysRedeploy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["KeyRedeployment"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       },
                     *       "error": null,
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysRedeployAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysAcceptHostKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
                 *     }
                 */
                "application/json": components["schemas"]["HostKeyAcceptance"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysAcceptHostKeyAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysBrowse: {
        parameters: {
            query?: {
                /** @description Absolute path on the host. Default: the default path of the connection. */
                path?: string;
            };
            header?: never;
            path: {
                /** @description Id of the SSH connection. */
                connection_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "current_path": "/backups",
                     *       "parent_path": null,
                     *       "items": [
                     *         {
                     *           "name": "home",
                     *           "path": "/backups/home",
                     *           "type": "directory",
                     *           "is_directory": true,
                     *           "size": null,
                     *           "modified": "2026-03-01T02:00:00.000Z",
                     *           "permissions": "drwxr-xr-x"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysBrowseAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If the object has not changed since, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Id of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "Home",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1,
                     *         "connections": [
                     *           {
                     *             "id": 1,
                     *             "ssh_key_id": 1,
                     *             "ssh_key_name": null,
                     *             "host": "storage.example.org",
                     *             "username": "ann",
                     *             "port": 22,
                     *             "use_sftp_mode": false,
                     *             "default_path": "/backups",
                     *             "ssh_path_prefix": null,
                     *             "mount_point": null,
                     *             "trusted": false,
                     *             "sudo": false,
                     *             "jump_connection_id": null,
                     *             "allows": "commands",
                     *             "status": "connected",
                     *             "last_test": "2026-03-01T02:00:00.000Z",
                     *             "last_success": "2026-03-01T02:00:00.000Z",
                     *             "error_message": null,
                     *             "error_code": null,
                     *             "error_params": {},
                     *             "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *             "offered_host_key_fingerprint": null,
                     *             "storage": {
                     *               "total": 1000000000000,
                     *               "used": 600000000000,
                     *               "available": 400000000000,
                     *               "total_formatted": "931.32 GB",
                     *               "used_formatted": "558.79 GB",
                     *               "available_formatted": "372.53 GB",
                     *               "percent_used": 60,
                     *               "last_check": "2026-03-01T02:00:00.000Z"
                     *             },
                     *             "created_at": "2026-03-01T02:00:00.000Z",
                     *             "updated_at": "2026-03-01T02:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysGetAnswer"];
                };
            };
            /** @description Nothing has changed since `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Key of the nas"
                 *     }
                 */
                "application/json": components["schemas"]["SshKeyChanges"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "ssh_key": {
                     *         "id": 1,
                     *         "name": "System key",
                     *         "description": null,
                     *         "key_type": "rsa",
                     *         "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast",
                     *         "fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "is_system_key": true,
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z",
                     *         "connection_count": 1,
                     *         "active_connections": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysUpdateAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was returned when the object was read. If the object has changed since, the response is 412. */
                "if-match"?: string;
            };
            path: {
                /** @description Id of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysDeploy: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "storage.example.org",
                 *       "username": "ann",
                 *       "password": "correct horse battery staple",
                 *       "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                 *       "default_path": "/backups",
                 *       "ssh_path_prefix": "/volume1"
                 *     }
                 */
                "application/json": components["schemas"]["KeyDeployment"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       },
                     *       "error": null,
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysDeployAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    sshKeysTestNewConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key within 24 hours is not executed again. It gets the first response, with `Idempotency-Replayed: true`. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        /** @description As JSON. Fields that are not known are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "storage.example.org",
                 *       "username": "ann",
                 *       "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionToTest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Done.",
                     *       "message_code": "script_exited",
                     *       "message_params": {
                     *         "code": 0
                     *       },
                     *       "error": null,
                     *       "connection": {
                     *         "id": 1,
                     *         "ssh_key_id": 1,
                     *         "ssh_key_name": null,
                     *         "host": "storage.example.org",
                     *         "username": "ann",
                     *         "port": 22,
                     *         "use_sftp_mode": false,
                     *         "default_path": "/backups",
                     *         "ssh_path_prefix": null,
                     *         "mount_point": null,
                     *         "trusted": false,
                     *         "sudo": false,
                     *         "jump_connection_id": null,
                     *         "allows": "commands",
                     *         "status": "connected",
                     *         "last_test": "2026-03-01T02:00:00.000Z",
                     *         "last_success": "2026-03-01T02:00:00.000Z",
                     *         "error_message": null,
                     *         "error_code": null,
                     *         "error_params": {},
                     *         "host_key_fingerprint": "SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
                     *         "offered_host_key_fingerprint": null,
                     *         "storage": {
                     *           "total": 1000000000000,
                     *           "used": 600000000000,
                     *           "available": 400000000000,
                     *           "total_formatted": "931.32 GB",
                     *           "used_formatted": "558.79 GB",
                     *           "available_formatted": "372.53 GB",
                     *           "percent_used": 60,
                     *           "last_check": "2026-03-01T02:00:00.000Z"
                     *         },
                     *         "created_at": "2026-03-01T02:00:00.000Z",
                     *         "updated_at": "2026-03-01T02:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SshKeysTestNewConnectionAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongMediaType"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Holdfast",
                     *       "version": "1.64.1",
                     *       "server_version": "0.1.0",
                     *       "docs": "/api/docs",
                     *       "status": "running"
                     *     }
                     */
                    "application/json": components["schemas"]["SystemRootAnswer"];
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app_version": "1.64.1",
                     *       "bk_version": "borg 1.2.4",
                     *       "server_version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["SystemInfoAnswer"];
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "service": "holdfast",
                     *       "ready": true,
                     *       "degraded": [],
                     *       "degraded_codes": [],
                     *       "notices": []
                     *     }
                     */
                    "application/json": components["schemas"]["SystemHealthAnswer"];
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["SystemReadyAnswer"];
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemProtectionHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "protected",
                     *       "detail": "Nothing is late, damaged or closed.",
                     *       "code": "protection_complete",
                     *       "params": {},
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "counts": {
                     *         "protected": 1,
                     *         "late": 1,
                     *         "unknown": 1,
                     *         "damaged": 1
                     *       },
                     *       "repositories": []
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectionHealth"];
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemProtection: {
        parameters: {
            query?: {
                /** @description Answers at once from what is known, without asking the backup tool. */
                known_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "as_of": "2026-03-01T02:00:00.000Z",
                     *       "summary": {
                     *         "protected": 1,
                     *         "late": 1,
                     *         "unknown": 1
                     *       },
                     *       "repositories": [
                     *         {
                     *           "id": 1,
                     *           "name": "Home",
                     *           "path": "/backups/home",
                     *           "status": "protected",
                     *           "reasons": [
                     *             "The newest archive is 30.5 h old; the objective is 26 h."
                     *           ],
                     *           "reason_codes": [
                     *             {
                     *               "code": "protection_age_and_objective",
                     *               "params": {
                     *                 "age": "30.5 h",
                     *                 "promised": "26 h"
                     *               }
                     *             }
                     *           ],
                     *           "newest_archive": "2026-03-01T02:00:00.000Z",
                     *           "newest_archive_age_hours": 9.5,
                     *           "freshness_hours": null,
                     *           "promised_hours": 26,
                     *           "promised_by": "objective",
                     *           "promising_schedule": "Nightly",
                     *           "protected_until": "2026-03-01T02:00:00.000Z",
                     *           "damaged": false,
                     *           "archives_as_of": "2026-03-01T02:00:00.000Z",
                     *           "last_verified_restore": "2026-03-01T02:00:00.000Z",
                     *           "coverage_percent": 41.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectionReport"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemPlugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "plugins": [
                     *         {
                     *           "name": "@holdfast/driver-borg",
                     *           "version": "0.1.0",
                     *           "kind": "driver",
                     *           "id": "borg",
                     *           "capabilities": [
                     *             "backup",
                     *             "check",
                     *             "compact",
                     *             "prune"
                     *           ],
                     *           "from": "built-in",
                     *           "optional": false,
                     *           "chosen": true,
                     *           "healthy": true,
                     *           "problem": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SystemPluginsAnswer"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemRedoc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    systemDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the file. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Holdfast-Version": components["headers"]["ServerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["TooManyTries"];
            431: components["responses"]["TooLongHead"];
            500: components["responses"]["ServerFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
