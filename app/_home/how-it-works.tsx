import { translator } from '../_i18n/translator.ts';
import { ChooseName } from '../_ui/pictures/choose-name.tsx';
import { GiveConsent } from '../_ui/pictures/give-consent.tsx';
import { Recover } from '../_ui/pictures/recover.tsx';

const SCENES = [
  ['name', ChooseName],
  ['consent', GiveConsent],
  ['recover', Recover],
] as const;

/** What a person does here, in three pictures. */
export async function HowItWorks() {
  const t = await translator('home');
  return (
    <section aria-labelledby="how">
      <h2 id="how">{t('how.title')}</h2>
      <ol className="mt-5 grid gap-x-10 gap-y-6 md:mt-8 md:grid-cols-3">
        {SCENES.map(([scene, Picture]) => (
          <li
            key={scene}
            className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-x-5 max-[22rem]:grid-cols-1 md:block"
          >
            <Picture className="w-full md:max-w-72" />
            <div className="md:mt-5">
              <h3>{t(`how.${scene}.title`)}</h3>
              <p className="mt-1 text-muted">{t(`how.${scene}.body`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
