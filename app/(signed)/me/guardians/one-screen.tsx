'use client';

import type { BeoView } from '../../../../protocol/entities/beo.ts';
import type { Invitation } from '../../../../protocol/operation.ts';
import { BackLink } from '../../../_wizard/wizard.tsx';
import { AskToCheck } from './ask-to-check.tsx';
import { ChangeGuardians } from './change-guardians.tsx';
import { Call, Compare, Confirm, Differ } from './compare-words.tsx';
import { AskRequireConfirmed } from './guardian-questions.tsx';
import type { Compared, Flow } from './guardian-screen-props.ts';
import { nameOfScreen, type Screen, stepOf } from './guardian-screens.ts';
import { Invite } from './invite.tsx';
import { Links } from './links.tsx';
import { OpenRequest } from './open-request.tsx';
import { Practise } from './practise.tsx';

/** The screens to which the link back leads; otherwise it leads to the list. */
const BEFORE: Partial<Record<Screen['kind'], 'call' | 'compare'>> = {
  compare: 'call',
  confirm: 'compare',
  differ: 'compare',
};

/** The screens without an action that leads back to the list. */
const WITH_BACK: ReadonlySet<Screen['kind']> = new Set([
  'request',
  'invite',
  'compare',
  'confirm',
  'differ',
  'ask',
  'practise',
]);

type OneScreenProps = Flow & {
  screen: Screen;
  links: readonly Invitation[];
  request: BeoView['active_recovery'];
  compared: Compared | null;
};

/** A screen beside the list. */
export function OneScreen({ screen, links, request, compared, ...flow }: OneScreenProps) {
  const { sending } = flow;
  const before = BEFORE[screen.kind];
  const back = 'place' in screen && before ? stepOf(before, screen.place.role) : 'list';
  const key = nameOfScreen(screen);
  return (
    <div className="max-w-form pb-12">
      {WITH_BACK.has(screen.kind) && <BackLink to={back} disabled={sending.sending} />}
      {screen.kind === 'links' && <Links {...flow} links={links} />}
      {screen.kind === 'request' && request && <OpenRequest {...flow} request={request} />}
      {screen.kind === 'practise' && <Practise {...flow} />}
      {screen.kind === 'invite' && <Invite key={key} {...flow} place={screen.place} />}
      {screen.kind === 'call' && <Call key={key} {...flow} place={screen.place} />}
      {screen.kind === 'compare' && <Compare key={key} {...flow} place={screen.place} />}
      {screen.kind === 'confirm' && compared && (
        <Confirm key={key} {...flow} place={screen.place} compared={compared} />
      )}
      {screen.kind === 'differ' && <Differ key={key} {...flow} place={screen.place} />}
      {screen.kind === 'ask' && <AskToCheck key={key} {...flow} place={screen.place} />}
      {(screen.kind === 'remove' || screen.kind === 'reinvite') && (
        <ChangeGuardians key={key} {...flow} kind={screen.kind} place={screen.place} />
      )}
      {screen.kind === 'require' && <AskRequireConfirmed key={key} {...flow} />}
      {screen.kind === 'enable' && <ChangeGuardians key={key} {...flow} kind="enable" place={null} />}
    </div>
  );
}
