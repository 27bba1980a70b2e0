/** What mail was sent to whom within a day, by keyed hashes of addresses; and who wants none. */
export const mailLimits = `
ALTER TABLE mails ADD COLUMN source bytea;

CREATE TABLE mail_counts (
  mail_id uuid PRIMARY KEY,
  class text NOT NULL,
  recipient bytea NOT NULL,
  source bytea,
  at timestamptz NOT NULL
);
CREATE INDEX mail_counts_at ON mail_counts (at);
CREATE INDEX mail_counts_class ON mail_counts (class, at);

CREATE TABLE mail_opt_outs (
  recipient bytea PRIMARY KEY,
  since timestamptz NOT NULL
);
`;
