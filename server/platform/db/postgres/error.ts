/** A problem of the embedded database; the message tells the operator what is wrong and, if possible, how to fix it. */
export class EmbeddedPostgresError extends Error {}

/** Another process holds the lock of the data directory. */
export class DirectoryInUse extends EmbeddedPostgresError {}
