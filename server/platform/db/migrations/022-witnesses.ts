/** Cosignatures of checkpoints, and why a witness has not sent one. A witness is named by its verifier key. */
export const witnesses = `
CREATE TABLE cosignatures (
  witness text NOT NULL,
  size bigint NOT NULL REFERENCES checkpoints,
  signature text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (witness, size)
);
CREATE INDEX cosignatures_by_size ON cosignatures (size);

CREATE TABLE witness_problems (
  witness text PRIMARY KEY,
  problem text NOT NULL,
  is_alarm boolean NOT NULL,
  reported_at timestamptz NOT NULL
);
`;
