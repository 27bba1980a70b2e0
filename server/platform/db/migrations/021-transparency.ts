/** The transparency log. All of it but the signatures follows from ledger_entries and bundles. */
export const transparency = `
CREATE TABLE tree_hashes (
  level integer NOT NULL CHECK (level > 0),
  index bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (level, index)
);

CREATE TABLE checkpoints (
  size bigint PRIMARY KEY,
  root bytea NOT NULL,
  created_at timestamptz NOT NULL,
  signatures text,
  published_at timestamptz
);
`;
