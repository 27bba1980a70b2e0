'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../_keys/back-button.tsx';
import { KeepHere } from '../../_session/keep-here.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { useScreenChange, useSteps } from '../../_ui/use-step.ts';
import { type Answers, NOTHING_YET, STEPS, stepFor } from './answers.ts';
import { DomainScreen } from './domain-screen.tsx';
import { KeyScreen } from './key-screen.tsx';
import { NameScreen } from './name-screen.tsx';
import { PublicScreen } from './public-screen.tsx';
import { registeredBefore, rememberRegistered } from './registered.ts';
import { SendScreen } from './send-screen.tsx';
import type { Shown } from './shown.ts';
import { TypeScreen } from './type-screen.tsx';
import { draftIsKept, draftIsSaved, useDraftKey } from './use-draft-key.ts';

/** Takes an institution from a domain to an open key, one thing per screen. */
export function Registration({ suffix }: { suffix: string }) {
  const t = useTranslations('register');
  const steps = useSteps();
  const go = useGo();
  const [answers, setAnswers] = useState<Answers>(NOTHING_YET);
  const screen = stepFor(steps.asked, answers);
  const place = STEPS.indexOf(screen);
  const moved = useScreenChange(screen, `${t('title')} – Perpetua`);
  const making = useDraftKey(answers.domain, answers.agreed);
  const domain = answers.domain ?? '';

  useEffect(() => {
    const before = registeredBefore();
    if (before) setAnswers({ ...NOTHING_YET, ...before, agreed: true });
  }, []);

  const onAnswer = (answered: Partial<Answers>) => {
    setAnswers({ ...answers, ...answered });
    if (answered.ieoId) rememberRegistered({ domain, ieoId: answered.ieoId });
    const next = STEPS[place + 1];
    if (next) steps.go(next);
  };
  const shown: Shown = { answers, focus: moved, onAnswer };
  const before = STEPS[place - 1];

  return (
    <div className="max-w-[42rem] pt-3 pb-20">
      {before && screen !== 'browser' && <BackButton label={t('back')} onBack={() => steps.go(before)} />}
      <p className="pt-2 pb-1 text-sm font-semibold text-muted print:hidden">
        {t('step', { step: place + 1, steps: STEPS.length })}
      </p>
      {screen === 'domain' && <DomainScreen {...shown} suffix={suffix} />}
      {screen === 'type' && <TypeScreen {...shown} />}
      {screen === 'name' && <NameScreen {...shown} />}
      {screen === 'public' && <PublicScreen {...shown} onChange={() => steps.go('domain')} />}
      {screen === 'key' && (
        <KeyScreen
          making={making}
          domain={domain}
          onCopied={() => {
            void draftIsSaved(domain);
            onAnswer({ copied: true });
          }}
        />
      )}
      {screen === 'send' && making.state === 'made' && (
        <SendScreen {...shown} making={making} onAnotherDomain={() => steps.go('domain')} />
      )}
      {screen === 'browser' && making.state === 'made' && answers.ieoId && (
        <KeepHere
          identity={{ id: answers.ieoId, kind: 'institution', domain, backedUp: true }}
          opened={making.key}
          lead={<p role="status">{t('browser.lead', { domain })}</p>}
          back={(busy) =>
            !busy && (
              <Button asChild look="quiet" className="-ml-5">
                <LocalLink href="/" onClick={() => rememberRegistered(null)}>
                  {t('browser.later')}
                </LocalLink>
              </Button>
            )
          }
          onKept={() => {
            rememberRegistered(null);
            return draftIsKept(domain);
          }}
          onDone={() => go('/institution')}
        />
      )}
    </div>
  );
}
