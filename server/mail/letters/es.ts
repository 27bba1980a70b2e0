import { important, type LetterFacts, linked, text, type Words } from './letter.ts';

const GUARDIANS =
  'Los guardianes son personas de confianza. Si algún día esa persona pierde la clave de su identidad, dos de sus guardianes juntos pueden pasarla a una clave nueva. Un guardián solo no puede hacer nada, ninguno ve nada que sea privado, y a ti no te cuesta nada.';
const HOW =
  'Si sabes quién es y quieres ayudar, abre tu enlace. Son unos minutos: tu navegador crea una clave para ti y tú guardas una copia.';
const CARE =
  'Nunca te pedimos tus 24 palabras ni tu contraseña: ni por correo, ni por mensaje, ni por teléfono. Por favor, no se las digas a nadie.';
const CARE_ON_PAGE =
  'Nunca te pedimos tus 24 palabras ni tu contraseña: ni por correo, ni por mensaje, ni por teléfono. Si la página las necesita para abrir tu clave, no salen de tu navegador.';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Saber más y decidir',
    (until) => `El enlace funciona hasta el ${until}. Es solo para ti: por favor, no lo reenvíes.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    'Abrir con la persona al teléfono',
    (until) => `El enlace funciona hasta el ${until}. Es solo para ti: por favor, no lo reenvíes.`,
  );

export const es: Words = {
  locale: 'es',
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  reason: (domain) =>
    `Recibes este correo porque ${domain} indicó esta dirección como la de uno de sus guardianes. Es un aviso sobre este asunto, no es publicidad.`,
  letter: {
    invitation: (facts) => ({
      subject: `¿Quieres ser uno de los guardianes de ${facts.domain}?`,
      blocks: [
        text(
          `La persona que usa la identidad ${facts.domain} nos dio esta dirección y quisiera que fueras uno de sus guardianes.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text(
          'Si no se te ocurre quién puede ser, pregunta a la gente cercana o no hagas caso de este correo. No pasa nada.',
        ),
        text(CARE),
      ],
    }),
    reminder: (facts) => ({
      subject: `Recordatorio: ¿quieres ser uno de los guardianes de ${facts.domain}?`,
      blocks: [
        text(
          `Hace dos días te escribimos porque la persona que usa la identidad ${facts.domain} quisiera que fueras uno de sus guardianes. Todavía no tiene respuesta.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('Si prefieres no hacerlo, no tienes que hacer nada. No te lo recordaremos más.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: `Solicitud de recuperación de ${facts.domain}`,
      blocks: [
        text(
          `Eres uno de los guardianes de ${facts.domain}. Alguien pide pasar esta identidad a una clave nueva: quizá la persona que conoces, que ha perdido la suya; quizá alguien que se hace pasar por ella. Tú puedes averiguarlo; nosotros no.`,
        ),
        important(
          'Antes de abrir el enlace, llama tú a la persona, a un número que ya conozcas. No te fíes de un correo ni de un mensaje, y no llames a un número que alguien te haya enviado.',
        ),
        text(
          'Si de verdad lo pidió, sigue al teléfono y abre tu enlace. Te leerá seis palabras, tú las escribes y confirmas con tu clave de guardián.',
        ),
        ...confirm(facts),
        text(
          'Si no lo pidió, o no consigues hablar con ella, no confirmes nada: sin dos guardianes no cambia nada. Y si no fue ella, avísale, para que pueda alertar a sus otros guardianes.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: `Un guardián ha confirmado la recuperación de ${facts.domain}`,
      blocks: [
        text(
          `Eres uno de los guardianes de ${facts.domain}. Otro guardián ha confirmado que esta identidad debe pasar a una clave nueva. Hacen falta dos confirmaciones: basta una más, que puede ser la tuya.`,
        ),
        important('Si aún no has hablado con la persona, llámala ahora tú, a un número que ya conozcas.'),
        text(
          facts.link
            ? 'Si de verdad lo pidió, sigue al teléfono y abre tu enlace. Te leerá seis palabras, tú las escribes y confirmas con tu clave de guardián.'
            : 'Si de verdad lo pidió, tiene un enlace para ti, y seis palabras que leerte por teléfono.',
        ),
        ...confirm(facts),
        text('Si no lo pidió, no confirmes nada y avísale enseguida, para que pueda alertar a sus otros guardianes.'),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: `La identidad ${facts.domain} se ha recuperado`,
      blocks: [
        text(
          `Eres uno de los guardianes de ${facts.domain}. Dos guardianes han confirmado su recuperación, y ahora pertenece a una clave nueva. La clave antigua ya no funciona.`,
        ),
        text('No tienes que hacer nada. Tu clave de guardián sigue igual: guarda bien tu copia.'),
        important(
          `Si no sabías nada de esto, llama tú a la persona, a un número que ya conozcas. Si no fue ella quien lo pidió, ahora otra persona controla la identidad. La persona que conoces puede pedir enseguida una recuperación propia, en ${facts.recoverUrl}, y durante 24 horas nadie puede cambiar a los guardianes.`,
        ),
        text(CARE),
      ],
    }),
  },
};
