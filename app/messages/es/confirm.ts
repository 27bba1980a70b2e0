import type english from '../en/confirm.ts';

export default {
  title: 'Una solicitud a un guardián',
  doubt: 'Tengo dudas sobre esto',
  ask: {
    title: '{domain} pide una clave nueva',
    lead: 'Alguien dice que la clave de {domain} se ha perdido y te pide ayuda a ti, como su guardián.',
    effect:
      'Cuando dos guardianes confirman, la identidad recibe al momento una clave nueva y la antigua deja de valer.',
    anybody:
      'Cualquiera puede hacer una solicitud así. A ti te toca averiguar si viene de la persona correcta; las próximas pantallas te muestran cómo.',
    standing:
      '{confirmations, plural, =0 {Ningún guardián ha confirmado todavía. Hacen falta dos.} one {# guardián ha confirmado hasta ahora. Hacen falta dos.} other {# guardianes han confirmado hasta ahora.}}',
    until: 'La solicitud vale hasta el <when>.</when>',
  },
  call: {
    title: 'Llama tú a la persona',
    lead: 'Antes que nada, habla con la persona detrás de {domain}.',
    number:
      '<b>Usa un número que ya conozcas.</b> Nunca uno que venga en un mensaje. Si te llamaron, cuelga y llama tú.',
    voice: '<b>Escucha la voz.</b> Pregunta algo que solo sepan ustedes dos.',
    words: '<b>Pregunta si ha perdido su clave</b> y pídele que te lea las seis palabras de su pantalla.',
    ready: 'La tengo al teléfono',
    cannot: 'No consigo hablar con ella',
  },
  words: {
    title: 'Escribe las seis palabras que oigas',
    hint: 'Las palabras están en inglés en todos los idiomas. Escribe las primeras letras y elige; si dudas, pide que te las deletreen.',
    label: 'Palabra {number, number}',
    check: 'Comprobar las palabras',
    missing: 'Faltan palabras. Escribe las seis.',
    unlisted:
      '{count, plural, one {La palabra {numbers} no está en la lista. Pide que te la deletreen.} other {Las palabras {numbers} no están en la lista. Pide que te las deletreen.}}',
    mismatch: 'Estas no son las palabras de esta solicitud',
    slip: 'Quizá oíste mal alguna. Pide las seis otra vez, despacio, y compara una por una.',
    notTheirs:
      'Si siguen sin coincidir, este enlace puede ser de una solicitud que hizo otra persona. En ese caso, no confirmes.',
    stop: 'Detente aquí',
    stopBody:
      'Las palabras no coinciden después de varios intentos. Lo más probable es que esta solicitud no sea la que está en la pantalla de la persona con quien hablas. No la confirmes. Pídele que te envíe otra vez el enlace desde su propia pantalla.',
    failed: 'No se pudieron comprobar las palabras. Mira si tienes conexión y vuelve a intentarlo.',
  },
  confirm: {
    title: '¿Darle a {domain} su clave nueva?',
    checked: 'Has hablado con la persona detrás de {domain}, y las seis palabras coinciden.',
    first: 'Tu confirmación es la primera. No cambia nada hasta que confirme otro guardián.',
    second:
      'Tu confirmación es la segunda. La clave nueva vale al momento y la antigua deja de valer. No se puede deshacer.',
    public:
      'Tu firma pasa a formar parte del registro público, para siempre. Muestra tu clave de guardián, no tu nombre.',
    yes: 'Sí, confirmar',
    no: 'No, ahora no',
    sending: 'Enviando',
  },
  done: {
    title: 'Has confirmado',
    standing:
      '{confirmations, number} de {needed, number} guardianes han confirmado. Cuando confirme uno más, la identidad recibe su clave nueva.',
    until: 'Es posible hasta el <when>.</when>',
    todo: 'Dile a la persona detrás de {domain} que tu parte está hecha. También lo ve en su pantalla.',
    executedTitle: '{domain} tiene su clave nueva',
    executed: 'Dos guardianes han confirmado. La clave antigua ha dejado de valer.',
    executedTodo: 'Dile a la persona detrás de {domain} que ya está.',
    keep: 'Deja tu clave de guardián donde está. Sigues siendo su guardián.',
  },
  stop: {
    title: 'Si tienes dudas, no hagas nada',
    body: 'Sin ti no cambia nada. La solicitud sigue abierta hasta el <when></when>, y se puede hacer una nueva en cualquier momento.',
    signs: 'No confirmes si',
    signReach: 'no consigues hablar con la propia persona,',
    signVoice: 'la voz o las respuestas no son las correctas,',
    signHurry: 'alguien te insiste en que no llames o en que te des prisa,',
    signWords: 'las seis palabras no coinciden.',
    tell: 'Si crees que hay otra persona detrás de esto, díselo a la persona detrás de {domain} y a quien sepas que también es su guardián.',
    again: 'Volver a la solicitud',
  },
  confirmed: {
    title: 'Ya has confirmado',
    todo: 'No tienes que hacer nada más. Si la persona detrás de {domain} sigue esperando, falta que confirme otro guardián.',
  },
  executed: {
    title: '{domain} tiene su clave nueva',
    what: 'Dos guardianes han confirmado esta solicitud. No queda nada por hacer.',
    todo: 'Si tú no confirmaste y nadie te ha hablado de esto, llama a la persona detrás de {domain} y pregúntale si todo está bien.',
  },
  closed: {
    title: 'Esta solicitud está cerrada',
    what: 'Antes se cumplió otra solicitud para {domain}. Esta ya no se puede confirmar.',
    todo: 'Si nadie te ha hablado de esto, llama a la persona detrás de {domain} y pregúntale si todo está bien.',
  },
  expired: {
    title: 'Esta solicitud ha caducado',
    what: 'Las solicitudes valen tres días, y esta, para {domain}, es más antigua. No ha cambiado nada.',
    todo: 'Si la persona detrás de {domain} todavía necesita una clave nueva, puede hacer otra solicitud y enviarte su enlace.',
  },
  superseded: {
    title: 'Ya no eres guardián de {domain}',
    what: 'Dejaste de serlo hace más de tres días, así que tu confirmación no cuenta.',
    todo: 'Si aun así alguien te pide ayuda, díselo. Quizá puedan ayudar otros guardianes.',
  },
} satisfies typeof english;
