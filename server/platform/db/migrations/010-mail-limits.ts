/** Mail of the last day per recipient and source, and opt-outs, all as keyed hashes of addresses. */
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
