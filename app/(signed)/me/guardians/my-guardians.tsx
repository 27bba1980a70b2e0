'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Invitation } from '../../../../protocol/operation.ts';
import { keepInvitations, openInvitations } from '../../../_keys/open-invitations.ts';
import { useStored } from '../../../_keys/use-stored.ts';
import { useHolder } from '../../../_session/current.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { withLineOf } from '../../../_ui/link-line.ts';
import { CardSkeleton, ScreenSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../../_ui/use-load-ahead.ts';
import { useScreenChange, useSteps } from '../../../_wizard/use-step.ts';
import { GuardianList } from './guardian-list.tsx';
import type { Compared, Flow, Outcome } from './guardian-screen-props.ts';
import { nameOfScreen, screenFor } from './guardian-screens.ts';
import { type KnownGuardians, useKnownGuardians } from './known-guardians.ts';
import type { GuardiansStatus, Place } from './status.ts';
import { useSending } from './use-guardian-sending.ts';
import { useGuardiansStatus } from './use-guardian-status.ts';

/** The screens beside the list, loaded once the person begins to use the page. */
const loadScreen = async () => (await import('./one-screen.tsx')).OneScreen;
const OneScreen = deferred(loadScreen, <ScreenSkeleton />);

/** The guardians of a holder, their status, and all changes to them. `mails`: whether the service sends mail to them. */
export function MyGuardians({ mails }: { mails: boolean }) {
  const known = useKnownGuardians();
  const guardiansStatus = useGuardiansStatus(known.eligible);
  const { view } = useHolder();
  const t = useTranslations('myGuardians');
  if (view.status === 'DESTROYED') {
    return (
      <>
        <h1>{t('title')}</h1>
        <p className="mt-3">{t('ended')}</p>
      </>
    );
  }
  return guardiansStatus ? <Screens guardiansStatus={guardiansStatus} known={known} mails={mails} /> : <Opening />;
}

function Opening() {
  const t = useTranslations('myGuardians');
  return (
    <div className="max-w-prose space-y-5">
      <h1>{t('title')}</h1>
      <CardSkeleton />
      <CardSkeleton lines={1} />
      <CardSkeleton lines={1} />
    </div>
  );
}

type ScreensProps = { guardiansStatus: GuardiansStatus; known: KnownGuardians; mails: boolean };

function Screens({ guardiansStatus: latest, known, mails }: ScreensProps) {
  const t = useTranslations();
  const { view, kept } = useHolder();
  const steps = useSteps();
  const sending = useSending();
  useLoadAhead(loadScreen);
  const { links, isReading, unshared, addLinks, shared } = useLinks(kept.id, latest);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [compared, setCompared] = useState<Compared | null>(null);

  const requests = [...(view.active_recovery ? [view.active_recovery] : []), ...known.requests];
  const request = requests.find(({ new_public_key }) => new_public_key !== kept.publicKey) ?? null;
  const locked = view.status === 'LOCKED';
  const situation = {
    guardiansStatus: latest,
    locked,
    unshared,
    links: links.length > 0,
    request: request !== null,
    compared,
  };
  // The screen that is being signed stays until the response arrives, although polling continues.
  const shown = useRef({ guardiansStatus: latest, screen: screenFor(steps.requested, situation) });
  if (!sending.sending) shown.current = { guardiansStatus: latest, screen: screenFor(steps.requested, situation) };
  const { guardiansStatus, screen } = shown.current;
  const name = nameOfScreen(screen);
  const focus = useScreenChange(name, `${t('myGuardians.title')} – Perpetua`);

  const { forgetFailure } = sending;
  const opened = useRef(name);
  useEffect(() => {
    if (opened.current === name) return;
    opened.current = name;
    forgetFailure();
    if (name !== 'list') setOutcome(null);
  }, [name, forgetFailure]);

  const personName = (place: Place) => known.people.get(place.guardian?.guardian_id ?? '')?.name;
  const flow: Flow = {
    view,
    beoId: kept.id,
    domain: kept.domain,
    guardiansStatus,
    steps,
    focus,
    sending,
    mails,
    known,
    who(place) {
      const name = personName(place);
      return name ? { role: 'named', name } : { role: place.role, name: '' };
    },
    nameOf(place) {
      const name = personName(place);
      const number = t(`myGuardians.place.${place.role}`);
      return name ? `${number} (${name})` : number;
    },
    onCompared: setCompared,
    onLinks(invitations) {
      addLinks(invitations);
      steps.go('links');
    },
    onDone(next) {
      shared();
      setOutcome(next);
      steps.go('list');
    },
  };
  // The links were passed on, and every guardian who was invited has accepted.
  const isOver = outcome?.kind === 'passed' && guardiansStatus.places.every(({ state }) => state !== 'invited');
  const message =
    outcome === null || isOver
      ? null
      : 'who' in outcome
        ? t(`myGuardians.outcome.${outcome.kind}`, outcome.who)
        : t(`myGuardians.outcome.${outcome.kind}`);
  if (isReading && steps.requested === 'links') return <Opening />;
  return (
    <>
      <p role="status" className="sr-only">
        {message}
      </p>
      {screen.kind === 'list' ? (
        <GuardianList
          {...flow}
          message={message}
          hasConfirmed={outcome?.kind === 'confirmed'}
          links={links}
          locked={locked}
          request={request}
        />
      ) : (
        <OneScreen {...flow} screen={screen} links={links} request={request} compared={compared} />
      )}
    </>
  );
}

/** The links of open invitations: those that this browser keeps, and those that were made on this page. */
function useLinks(beoId: string, { places }: GuardiansStatus) {
  const stored = useStored(useCallback(() => openInvitations(beoId), [beoId]));
  const [made, setMade] = useState<readonly Invitation[]>([]);
  /** The guardians of links that were not passed on yet: the status may not list them yet. */
  const [unshared, setUnshared] = useState<ReadonlySet<string>>(new Set());
  const invited = places.flatMap(({ state, guardian }) =>
    state === 'invited' && guardian ? [guardian.guardian_id] : [],
  );
  const before = stored.state === 'read' ? stored.value : null;
  const isListed = (id: string) => places.some(({ guardian }) => guardian?.guardian_id === id);
  /** The guardians that the status has listed: one that is gone again was withdrawn. */
  const listed = useRef(new Set<string>());
  useEffect(() => {
    for (const { guardian } of places) if (guardian) listed.current.add(guardian.guardian_id);
  }, [places]);
  const isOpen = ({ guardian_id: id }: Invitation) =>
    invited.includes(id) || (unshared.has(id) && !listed.current.has(id));
  // A new link to a guardian replaces the one before.
  const byRole = new Map([...(before ?? []), ...made].map((link) => [link.role, link]));
  const links = [...byRole.values()].filter(isOpen);

  // What the status does not list yet may have been invited in another tab.
  const ended = (before ?? [])
    .filter((link) => !isOpen(link) && (isListed(link.guardian_id) || Date.parse(link.expires_at) <= Date.now()))
    .map(({ guardian_id }) => guardian_id)
    .join(' ');
  useEffect(() => {
    if (ended !== '') void keepInvitations(beoId, [], new Set(ended.split(' ')));
  }, [beoId, ended]);

  return {
    links,
    isReading: stored.state === 'reading',
    unshared: links.some(({ guardian_id }) => unshared.has(guardian_id)),
    addLinks(invitations: readonly Invitation[]) {
      const added = invitations.map((link) => {
        const earlier = links.find(({ role }) => role === link.role);
        return link.url.includes('#') ? link : { ...link, url: withLineOf(link.url, earlier?.url) };
      });
      setMade((made) => [...made, ...added]);
      setUnshared((ids) => new Set([...ids, ...added.map(({ guardian_id }) => guardian_id)]));
      void keepInvitations(beoId, added, new Set());
    },
    /** The links were passed on. */
    shared: () => setUnshared(new Set()),
  };
}
