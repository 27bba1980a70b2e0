import { en } from '../messages/en.ts';

const { title, permanent, private: erasable, cannot, can } = en.home.honest;

/** What is permanent, what is private, and what the relayer can and cannot do. */
export function Honest() {
  return (
    <section id="public" aria-labelledby="honest">
      <h2 id="honest" className="text-2xl">
        {title}
      </h2>
      <div className="mt-8 grid gap-x-12 gap-y-9 md:grid-cols-2">
        {[permanent, erasable, cannot, can].map((part) => (
          <div key={part.title}>
            <h3 className="text-xl">{part.title}</h3>
            {part.body.map((sentence) => (
              <p key={sentence} className="mt-2">
                {sentence}
              </p>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}
