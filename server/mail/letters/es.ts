import { important, type LetterFacts, linked, page, text, type Words } from './letter.ts';

const GUARDIANS =
  'Los guardianes son personas de confianza. Si algún día esa persona pierde la clave de su identidad, dos de sus guardianes juntos pueden pasarla a una clave nueva. Un guardián solo no puede hacer nada, ninguno ve nada que sea privado, y a usted no le cuesta nada.';
const HOW =
  'Abra su enlace para ver quién se lo pide: nuestros correos nunca muestran un nombre que haya elegido otra persona. Si sabe quién es y quiere ayudar, son unos minutos. Su navegador crea una clave para usted y usted guarda una copia.';
const CARE =
  'Nunca le pedimos sus 24 palabras ni su contraseña: ni por correo, ni por mensaje, ni por teléfono. Por favor, no se las diga a nadie.';
const CARE_ON_PAGE =
  'Nunca le pedimos sus 24 palabras ni su contraseña: ni por correo, ni por mensaje, ni por teléfono. Si la página las necesita para abrir su clave, no salen de su navegador.';
const STAY_ON_THE_PHONE =
  'Si de verdad lo pidió, siga al teléfono. Le leerá seis palabras, usted las escribe en la página y confirma con su clave de guardián.';
const WHICH = 'Ver qué identidad es';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Ver quién lo pide y decidir',
    (until) => `El enlace funciona hasta el ${until}. Es solo para usted: por favor, no lo reenvíe.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    WHICH,
    (until) => `El enlace funciona hasta el ${until}. Es solo para usted: por favor, no lo reenvíe.`,
  );

export const es: Words = {
  locale: 'es',
  greeting: 'Hola:',
  reason:
    'Recibe este correo porque alguien indicó esta dirección como la de uno de sus guardianes. Es un aviso sobre este asunto, no es publicidad.',
  unsubscribe: 'No recibir más correos nuestros',
  letter: {
    invitation: (facts) => ({
      subject: '¿Quiere ser guardián de alguien?',
      blocks: [
        text('Alguien nos dio esta dirección y quisiera que usted fuera uno de los guardianes de su identidad.'),
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
      subject: 'Recordatorio: ¿quiere ser guardián de alguien?',
      blocks: [
        text(
          'Hace dos días le escribimos porque alguien quisiera que usted fuera uno de los guardianes de su identidad. Todavía no tiene respuesta.',
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('Si prefiere no hacerlo, no tiene que hacer nada. No se lo recordaremos más.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: 'Solicitud de recuperación de una identidad que usted protege',
      blocks: [
        text(
          'Usted es uno de los guardianes de una identidad. Alguien pide pasarla a una clave nueva: quizá la persona que usted conoce, que ha perdido la suya; quizá alguien que se hace pasar por ella. Usted puede averiguarlo; nosotros no. Su enlace muestra qué identidad es.',
        ),
        ...confirm(facts),
        important(
          'Antes de confirmar nada, llame usted a la persona, a un número que ya conozca. No se fíe de un correo ni de un mensaje, y no llame a un número que alguien le haya enviado.',
        ),
        text(STAY_ON_THE_PHONE),
        text(
          'Si no lo pidió, o no consigue hablar con ella, no confirme nada: sin dos guardianes no cambia nada. Y si no fue ella, avísele, para que pueda alertar a sus otros guardianes.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: 'Un guardián ha confirmado una recuperación',
      blocks: [
        text(
          'Usted es uno de los guardianes de una identidad. Otro guardián ha confirmado que debe pasar a una clave nueva. Hacen falta dos confirmaciones: basta una más, que puede ser la de usted.',
        ),
        ...(facts.link ? confirm(facts) : [page(WHICH, facts.identityUrl)]),
        important('Si aún no ha hablado con la persona, llámela ahora usted, a un número que ya conozca.'),
        text(
          facts.link
            ? STAY_ON_THE_PHONE
            : 'Si de verdad lo pidió, tiene un enlace para usted, y seis palabras que leerle por teléfono.',
        ),
        text('Si no lo pidió, no confirme nada y avísele enseguida, para que pueda alertar a sus otros guardianes.'),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: 'Se ha recuperado una identidad que usted protege',
      blocks: [
        text(
          'Usted es uno de los guardianes de una identidad. Dos guardianes han confirmado su recuperación, y ahora pertenece a una clave nueva. La clave antigua ya no funciona.',
        ),
        page(WHICH, facts.identityUrl),
        text('No tiene que hacer nada. Su clave de guardián sigue igual: guarde bien su copia.'),
        important(
          `Si no sabía nada de esto, llame usted a la persona, a un número que ya conozca. Si no fue ella quien lo pidió, ahora otra persona controla la identidad. La persona que usted conoce puede pedir enseguida una recuperación propia, en ${facts.recoverUrl}, y durante 24 horas nadie puede cambiar a los guardianes.`,
        ),
        text(CARE),
      ],
    }),
  },
};
