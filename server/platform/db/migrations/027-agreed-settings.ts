/** What the processes on one database have in common, as the first one recorded it: see server/ledger/agreed-settings.ts. */
export const agreedSettings = `
CREATE TABLE agreed_settings (
  name text PRIMARY KEY,
  value text NOT NULL
);
`;
