/** In the place of a grantee: all of them. */
const ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Revocations of many consents as one row each, until the tokens show them; and the number of live consents of a holder, in
 * total and by grantee, so that a revocation returns its count without reading the tokens.
 */
export const revocations = `
-- Deleted once every token that it ended shows it: see settle-revocations.ts.
CREATE TABLE revocations (
  seq bigint PRIMARY KEY,
  beo_id uuid NOT NULL,
  grantee_id uuid,
  intent text,
  at timestamptz NOT NULL
);
CREATE INDEX revocations_of_holder ON revocations (beo_id, seq);

-- The tokens with the first revocation that ended each: afterRevocation in SQL.
CREATE VIEW effective_tokens AS
SELECT t.id, t.beo_id, t.grantee_kind, t.grantee_id, t.granted_at, t.expires_at, t.scope, t.scope_key,
  coalesce(t.revoked_at, first.at) AS revoked_at, t.submitted, t.owner_signature, t.token_hash, t.transaction_id,
  coalesce(first.seq, t.seq) AS seq, t.created_seq, t.revoked_at AS stored_revoked_at
FROM tokens t LEFT JOIN LATERAL (
  SELECT r.seq, r.at FROM revocations r
  WHERE t.revoked_at IS NULL AND r.beo_id = t.beo_id AND r.seq > t.created_seq
    AND (r.grantee_id IS NULL OR r.grantee_id = t.grantee_id)
    AND (r.intent IS NULL OR t.scope -> 'intents' ? r.intent)
    AND (t.expires_at IS NULL OR t.expires_at > r.at)
    AND NOT EXISTS (SELECT FROM ieos i WHERE t.grantee_kind = 'IEO' AND i.id = t.grantee_id
      AND i.status IN ('REVOKED', 'DESTROYED') AND i.seq < r.seq)
  ORDER BY r.seq LIMIT 1) first ON true;

CREATE INDEX tokens_live ON tokens (beo_id, expires_at) WHERE revoked_at IS NULL;
CREATE INDEX tokens_by_expiry ON tokens (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- The previous version ignores revocations and saves whole rows. What it read before the end of a token must not undo that end.
CREATE FUNCTION keep_end_of_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NULL
    AND NOT EXISTS (SELECT FROM revocations WHERE beo_id = OLD.beo_id AND seq > OLD.created_seq) THEN RETURN NEW; END IF;
  IF EXISTS (SELECT FROM effective_tokens WHERE id = OLD.id AND revoked_at IS NOT NULL
    AND (revoked_at, seq) IS DISTINCT FROM (NEW.revoked_at, NEW.seq)) THEN
    RAISE EXCEPTION 'The consent % was ended by another operation.', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tokens_stay_ended BEFORE UPDATE ON tokens FOR EACH ROW
  WHEN (NEW.revoked_at IS NULL OR OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION keep_end_of_token();

-- Live consents by grantee and intents; under the nil id those of all grantees. A row of a grantee counts while its
-- generation is that of the nil row: a revocation of all consents sets the latter to 0 and begins the next generation.
CREATE TABLE live_consents (
  beo_id uuid NOT NULL,
  grantee_id uuid NOT NULL,
  intents jsonb NOT NULL,
  live bigint NOT NULL,
  generation bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (beo_id, grantee_id, intents)
) WITH (fillfactor = 80);

-- The time up to which expired consents of a holder are subtracted; under the nil id, up to which holders were searched for.
CREATE TABLE swept_consents (
  beo_id uuid PRIMARY KEY,
  until timestamptz NOT NULL
);

-- Expired consents that the search has not reached. Up to the ledger's head, before which no later revocation can be.
CREATE VIEW newly_expired_consents AS
SELECT beo_id, expires_at FROM tokens WHERE revoked_at IS NULL
  AND expires_at > coalesce((SELECT until FROM swept_consents WHERE beo_id = '${ALL}'), '-infinity')
  AND expires_at <= (SELECT accepted_at FROM ledger_head);

-- Institutions that have ended, until their consents are subtracted.
CREATE TABLE ended_grantees (
  ieo_id uuid PRIMARY KEY,
  seq bigint NOT NULL
);

-- Comes before every change of a holder's counts. Who does not hold the ledger's head may lock one holder only; one of
-- few locks, because a restore changes those of all holders in one transaction.
CREATE FUNCTION lock_live_consents(holder uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(730530, uuid_hash(holder) & 255)
$$;

CREATE FUNCTION count_added_consents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_live_consents(beo_id) FROM (SELECT DISTINCT beo_id FROM added_tokens) holders;
  WITH added AS (
    SELECT a.beo_id, a.grantee_id, a.scope -> 'intents' AS intents, count(*) AS live
    FROM added_tokens a LEFT JOIN swept_consents s USING (beo_id)
    WHERE a.revoked_at IS NULL AND (a.expires_at IS NULL OR s.until IS NULL OR a.expires_at > s.until)
    GROUP BY 1, 2, 3
  ), in_total AS (
    INSERT INTO live_consents AS kept (beo_id, grantee_id, intents, live)
      SELECT beo_id, '${ALL}', intents, sum(live) FROM added GROUP BY 1, 3 ORDER BY 1, 3
      ON CONFLICT (beo_id, grantee_id, intents) DO UPDATE SET live = kept.live + EXCLUDED.live
      RETURNING beo_id, intents, generation
  )
  INSERT INTO live_consents AS kept (beo_id, grantee_id, intents, live, generation)
    SELECT beo_id, grantee_id, intents, added.live, generation FROM added JOIN in_total USING (beo_id, intents)
    ORDER BY 1, 2, 3
    ON CONFLICT (beo_id, grantee_id, intents) DO UPDATE SET generation = EXCLUDED.generation,
      live = EXCLUDED.live + CASE WHEN kept.generation = EXCLUDED.generation THEN kept.live ELSE 0 END;
  RETURN NULL;
END $$;
CREATE TRIGGER tokens_added AFTER INSERT ON tokens
  REFERENCING NEW TABLE AS added_tokens FOR EACH STATEMENT EXECUTE FUNCTION count_added_consents();

-- Subtracts live consents of one grantee with the same intents, unless a revocation or the end of the grantee already did.
CREATE FUNCTION subtract_consents(holder uuid, grantee uuid, wanted jsonb, ended bigint) RETURNS void
LANGUAGE sql AS $$
  WITH of_grantee AS (
    UPDATE live_consents g SET live = g.live - ended FROM live_consents total
    WHERE (g.beo_id, g.grantee_id, g.intents) = (holder, grantee, wanted) AND g.generation = total.generation
      AND (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', wanted)
    RETURNING g.beo_id)
  UPDATE live_consents SET live = live - ended WHERE EXISTS (SELECT FROM of_grantee)
    AND (beo_id, grantee_id, intents) = (holder, '${ALL}', wanted)
$$;

CREATE FUNCTION subtract_revoked_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A revocation of many subtracted it at once.
  IF EXISTS (SELECT FROM revocations WHERE seq = NEW.seq) THEN RETURN NULL; END IF;
  PERFORM lock_live_consents(OLD.beo_id);
  IF OLD.expires_at <= (SELECT until FROM swept_consents WHERE beo_id = OLD.beo_id) THEN RETURN NULL; END IF;
  PERFORM subtract_consents(OLD.beo_id, OLD.grantee_id, OLD.scope -> 'intents', 1);
  RETURN NULL;
END $$;
CREATE TRIGGER tokens_ended AFTER UPDATE ON tokens FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION subtract_revoked_consent();

-- Consents of a holder that have expired and are not subtracted yet.
CREATE FUNCTION unswept_consents(holder uuid, now timestamptz) RETURNS TABLE (grantee_id uuid, intents jsonb, ended bigint)
LANGUAGE sql STABLE AS $$
  SELECT t.grantee_id, t.scope -> 'intents', count(*) FROM effective_tokens t
  WHERE t.beo_id = holder AND t.stored_revoked_at IS NULL AND t.revoked_at IS NULL AND t.expires_at <= now
    AND t.expires_at > coalesce((SELECT until FROM swept_consents WHERE beo_id = holder), '-infinity')
  GROUP BY 1, 2
$$;

-- Subtracts the consents of a holder that have expired, each once. No later revocation may be from before \`now\`.
CREATE FUNCTION subtract_expired_consents(holder uuid, now timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_live_consents(holder);
  WITH of_grantees AS (
    UPDATE live_consents g SET live = g.live - expired.ended FROM unswept_consents(holder, now) expired, live_consents total
    WHERE (g.beo_id, g.grantee_id, g.intents) = (holder, expired.grantee_id, expired.intents)
      AND (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', expired.intents)
      AND g.generation = total.generation
    RETURNING g.intents, expired.ended)
  UPDATE live_consents total SET live = total.live - gone.ended
    FROM (SELECT intents, sum(ended) AS ended FROM of_grantees GROUP BY 1) gone
    WHERE (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', gone.intents);
  INSERT INTO swept_consents AS kept (beo_id, until) VALUES (holder, now)
    ON CONFLICT (beo_id) DO UPDATE SET until = greatest(kept.until, EXCLUDED.until);
END $$;

-- Subtracts all live consents of a holder to some grantees, and returns their number.
CREATE FUNCTION subtract_grantees(holder uuid, grantees uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  found bigint;
BEGIN
  IF cardinality(grantees) = 0 THEN RETURN 0; END IF;
  PERFORM lock_live_consents(holder);
  WITH gone AS (
    DELETE FROM live_consents g USING live_consents total
    WHERE g.beo_id = holder AND g.grantee_id = ANY(grantees)
      AND (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', g.intents)
    RETURNING g.intents, CASE WHEN g.generation = total.generation THEN g.live ELSE 0 END AS live
  ), by_intents AS (
    SELECT intents, sum(live) AS live FROM gone GROUP BY 1
  ), changed AS (
    UPDATE live_consents total SET live = total.live - by_intents.live FROM by_intents
    WHERE (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', by_intents.intents))
  SELECT coalesce(sum(live), 0) INTO found FROM by_intents;
  RETURN found;
END $$;

-- Deletes up to \`most\` counts of earlier generations, and returns how many.
CREATE FUNCTION remove_earlier_generations(holder uuid, most bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM lock_live_consents(holder);
  DELETE FROM live_consents WHERE (beo_id, grantee_id, intents) IN (
    SELECT g.beo_id, g.grantee_id, g.intents FROM live_consents g JOIN live_consents total
      ON (total.beo_id, total.grantee_id, total.intents) = (holder, '${ALL}', g.intents)
    WHERE g.beo_id = holder AND g.generation < total.generation LIMIT most);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

-- The number of live consents of a holder. Whether some have expired meanwhile is read only where there are at least \`most\`.
CREATE FUNCTION count_live_consents(holder uuid, most bigint, now timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  found bigint;
BEGIN
  SELECT coalesce(sum(live), 0) INTO found FROM live_consents
    WHERE beo_id = holder AND grantee_id = '${ALL}';
  IF found < most THEN RETURN found; END IF;
  found := found - subtract_grantees(holder, ARRAY(SELECT ieo_id FROM ended_grantees));
  RETURN found - (SELECT coalesce(sum(ended), 0) FROM unswept_consents(holder, now) JOIN live_consents
    USING (grantee_id, intents) WHERE beo_id = holder);
END $$;

-- Records a revocation and returns the number of consents that it ended. Under the lock of the ledger's head.
CREATE FUNCTION revoke_consents(entry bigint, holder uuid, grantee uuid, wanted text, revoked timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  found bigint;
BEGIN
  PERFORM subtract_expired_consents(holder, revoked);
  PERFORM subtract_grantees(holder, ARRAY(SELECT ieo_id FROM ended_grantees WHERE seq < entry));
  IF grantee IS NOT NULL THEN
    found := subtract_grantees(holder, ARRAY[grantee]);
  ELSE
    SELECT coalesce(sum(live), 0) INTO found FROM live_consents
      WHERE beo_id = holder AND grantee_id = '${ALL}' AND (wanted IS NULL OR intents ? wanted);
    UPDATE live_consents SET live = 0, generation = generation + 1
      WHERE beo_id = holder AND grantee_id = '${ALL}' AND (wanted IS NULL OR intents ? wanted);
  END IF;
  -- Whatever the counts are: they do not decide what is revoked.
  INSERT INTO revocations (seq, beo_id, grantee_id, intent, at) VALUES (entry, holder, grantee, wanted, revoked);
  RETURN found;
END $$;

CREATE FUNCTION note_ended_grantee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ended_grantees (ieo_id, seq) VALUES (NEW.id, NEW.seq) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER ieos_ended AFTER INSERT OR UPDATE ON ieos FOR EACH ROW
  WHEN (NEW.status IN ('REVOKED', 'DESTROYED')) EXECUTE FUNCTION note_ended_grantee();

WITH live AS (
  SELECT t.beo_id, t.grantee_id, t.scope -> 'intents' AS intents, count(*) AS live FROM tokens t
  WHERE t.revoked_at IS NULL AND NOT EXISTS (SELECT FROM ieos i WHERE t.grantee_kind = 'IEO' AND i.id = t.grantee_id
    AND i.status IN ('REVOKED', 'DESTROYED'))
  GROUP BY 1, 2, 3
)
INSERT INTO live_consents (beo_id, grantee_id, intents, live)
  SELECT beo_id, grantee_id, intents, live FROM live
  UNION ALL SELECT beo_id, '${ALL}'::uuid, intents, sum(live) FROM live GROUP BY beo_id, intents;
CREATE INDEX live_consents_to ON live_consents (grantee_id, beo_id)
  WHERE grantee_id <> '${ALL}';
`;
