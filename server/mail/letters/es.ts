import { important, type LetterFacts, linked, text, type Words } from './letter.ts';

const GUARDIANS =
  'Los guardianes son personas de confianza. Si algún día esa persona pierde la clave de su identidad, dos de sus guardianes juntos pueden pasarla a una clave nueva. Un guardián solo no puede hacer nada, ninguno ve nada que sea privado, y a usted no le cuesta nada.';
const HOW =
  'Si sabe quién es y quiere ayudar, abra su enlace. Son unos minutos: su navegador crea una clave para usted y usted guarda una copia.';
const CARE =
  'Nunca le pedimos sus 24 palabras ni su contraseña: ni por correo, ni por mensaje, ni por teléfono. Por favor, no se las diga a nadie.';
const CARE_ON_PAGE =
  'Nunca le pedimos sus 24 palabras ni su contraseña: ni por correo, ni por mensaje, ni por teléfono. Si la página las necesita para abrir su clave, no salen de su navegador.';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Saber más y decidir',
    (until) => `El enlace funciona hasta el ${until}. Es solo para usted: por favor, no lo reenvíe.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    'Abrir con la persona al teléfono',
    (until) => `El enlace funciona hasta el ${until}. Es solo para usted: por favor, no lo reenvíe.`,
  );

export const es: Words = {
  locale: 'es',
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  reason: (domain) =>
    `Recibe este correo porque ${domain} indicó esta dirección como la de uno de sus guardianes. Es un aviso sobre este asunto, no es publicidad.`,
  letter: {
    invitation: (facts) => ({
      subject: `¿Quiere ser uno de los guardianes de ${facts.domain}?`,
      blocks: [
        text(
          `La persona que usa la identidad ${facts.domain} nos dio esta dirección y quisiera que usted fuera uno de sus guardianes.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text(
          'Si no se le ocurre quién puede ser, pregunte a la gente cercana o no haga caso de este correo. No pasa nada.',
        ),
        text(CARE),
      ],
    }),
    reminder: (facts) => ({
      subject: `Recordatorio: ¿quiere ser uno de los guardianes de ${facts.domain}?`,
      blocks: [
        text(
          `Hace dos días le escribimos porque la persona que usa la identidad ${facts.domain} quisiera que usted fuera uno de sus guardianes. Todavía no tiene respuesta.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('Si prefiere no hacerlo, no tiene que hacer nada. No se lo recordaremos más.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: `Solicitud de recuperación de ${facts.domain}`,
      blocks: [
        text(
          `Usted es uno de los guardianes de ${facts.domain}. Alguien pide pasar esta identidad a una clave nueva: quizá la persona que usted conoce, que ha perdido la suya; quizá alguien que se hace pasar por ella. Usted puede averiguarlo; nosotros no.`,
        ),
        important(
          'Antes de abrir el enlace, llame usted a la persona, a un número que ya conozca. No se fíe de un correo ni de un mensaje, y no llame a un número que alguien le haya enviado.',
        ),
        text(
          'Si de verdad lo pidió, siga al teléfono y abra su enlace. Le leerá seis palabras, usted las escribe y confirma con su clave de guardián.',
        ),
        ...confirm(facts),
        text(
          'Si no lo pidió, o no consigue hablar con ella, no confirme nada: sin dos guardianes no cambia nada. Y si no fue ella, avísele, para que pueda alertar a sus otros guardianes.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: `Un guardián ha confirmado la recuperación de ${facts.domain}`,
      blocks: [
        text(
          `Usted es uno de los guardianes de ${facts.domain}. Otro guardián ha confirmado que esta identidad debe pasar a una clave nueva. Hacen falta dos confirmaciones: basta una más, que puede ser la de usted.`,
        ),
        important('Si aún no ha hablado con la persona, llámela ahora usted, a un número que ya conozca.'),
        text(
          facts.link
            ? 'Si de verdad lo pidió, siga al teléfono y abra su enlace. Le leerá seis palabras, usted las escribe y confirma con su clave de guardián.'
            : 'Si de verdad lo pidió, tiene un enlace para usted, y seis palabras que leerle por teléfono.',
        ),
        ...confirm(facts),
        text('Si no lo pidió, no confirme nada y avísele enseguida, para que pueda alertar a sus otros guardianes.'),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: `La identidad ${facts.domain} se ha recuperado`,
      blocks: [
        text(
          `Usted es uno de los guardianes de ${facts.domain}. Dos guardianes han confirmado su recuperación, y ahora pertenece a una clave nueva. La clave antigua ya no funciona.`,
        ),
        text('No tiene que hacer nada. Su clave de guardián sigue igual: guarde bien su copia.'),
        important(
          `Si no sabía nada de esto, llame usted a la persona, a un número que ya conozca. Si no fue ella quien lo pidió, ahora otra persona controla la identidad. La persona que usted conoce puede pedir enseguida una recuperación propia, en ${facts.recoverUrl}, y durante 24 horas nadie puede cambiar a los guardianes.`,
        ),
        text(CARE),
      ],
    }),
  },
};
