/** Delivery of events to institutions' webhooks. The events themselves are derived from the ledger. */
export const webhooks = `
CREATE TABLE webhooks (
  ieo_id uuid PRIMARY KEY,
  url text NOT NULL,
  -- Places between events: everything before it was delivered; where a replay ends; where delivery continues after it.
  place jsonb NOT NULL,
  replay_until jsonb,
  place_after_replay jsonb,
  -- When the next attempt is due; null while no event waits.
  due_at timestamptz,
  -- Since when an event has been waiting; null while none waits.
  waiting_since timestamptz,
  -- Counts news, so that a sender that found no event does not overlook one that came meanwhile.
  news bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  paused_at timestamptz,
  pause_reason text CHECK (pause_reason IN ('REQUESTED', 'GONE', 'FAILING')),
  -- Changes with the URL and with the place, except by delivery: a sender stops when it changes.
  version integer NOT NULL DEFAULT 0,
  lease uuid,
  lease_until timestamptz,
  -- The last responses, newest first.
  responses jsonb NOT NULL DEFAULT '[]',
  CHECK ((paused_at IS NULL) = (pause_reason IS NULL)),
  CHECK ((replay_until IS NULL) = (place_after_replay IS NULL))
) WITH (fillfactor = 50);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL AND paused_at IS NULL;

-- Up to where the ledger and the expiries of consents have been searched for news.
CREATE TABLE webhook_search (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seq bigint NOT NULL,
  at timestamptz NOT NULL
);

CREATE TABLE webhook_keys (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_keys text[] NOT NULL
);
`;
