/** The channel that reports a change of the stored identities to other tabs and components. No key is sent. */
export const IDENTITIES_CHANNEL = 'perpetua-identities';
