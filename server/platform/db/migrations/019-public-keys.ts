/** Indexes for the search by a public key. Hash indexes: small, and only equality is asked for. */
export const publicKeys = `
CREATE INDEX beos_public_key ON beos USING hash (public_key);
CREATE INDEX ieos_public_key ON ieos USING hash (public_key);
`;
