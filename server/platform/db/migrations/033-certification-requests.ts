/** The latest request of each institution for a certification, as it signed it. Protocol §11. */
export const certificationRequests = `
CREATE TABLE certification_requests (
  ieo_id uuid PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  message text NOT NULL,
  signature text NOT NULL,
  public_key text NOT NULL,
  answered_at timestamptz,
  reason text
);
CREATE INDEX certification_requests_open ON certification_requests (requested_at, ieo_id) WHERE answered_at IS NULL;
`;
