/** A sentence for the operator: what is wrong with the embedded database and, where there is one, the way out. */
export class EmbeddedPostgresError extends Error {}
