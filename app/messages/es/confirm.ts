import type english from '../en/confirm.ts';

export default {
  title: 'Una solicitud a un guardián',
  doubt: 'Tengo dudas sobre esto',
  ask: {
    title: '{domain} pide una clave nueva',
    lead: 'Alguien dice que la clave de {domain} se ha perdido y le pide ayuda a usted, como su guardián.',
    effect:
      'Cuando dos guardianes confirman, la identidad recibe al momento una clave nueva y la antigua deja de valer.',
    anybody:
      'Cualquiera puede hacer una solicitud así. A usted le toca averiguar si viene de la persona correcta; las próximas pantallas le muestran cómo.',
    standing:
      '{confirmations, plural, =0 {Ningún guardián ha confirmado todavía. Hacen falta dos.} one {# guardián ha confirmado hasta ahora. Hacen falta dos.} other {# guardianes han confirmado hasta ahora.}}',
    until: 'La solicitud vale hasta el <when>.</when>',
  },
  call: {
    title: 'Llame usted a la persona',
    lead: 'Antes que nada, hable con la persona detrás de {domain}.',
    number:
      '<b>Use un número que ya conozca.</b> Nunca uno que venga en un mensaje. Si le llamaron, cuelgue y llame usted.',
    voice: '<b>Escuche la voz.</b> Pregunte algo que solo sepan ustedes dos.',
    words: '<b>Pregunte si ha perdido su clave</b> y pídale que le lea las seis palabras de su pantalla.',
    ready: 'La tengo al teléfono',
    cannot: 'No consigo hablar con ella',
  },
  words: {
    title: 'Escriba las seis palabras que oiga',
    hint: 'Las palabras están en inglés en todos los idiomas. Escriba las primeras letras y elija; si duda, pida que se las deletreen.',
    label: 'Palabra {number, number}',
    check: 'Comprobar las palabras',
    missing: 'Faltan palabras. Escriba las seis.',
    unlisted:
      '{count, plural, one {La palabra {numbers} no está en la lista. Pida que se la deletreen.} other {Las palabras {numbers} no están en la lista. Pida que se las deletreen.}}',
    mismatch: 'Estas no son las palabras de esta solicitud',
    slip: 'Quizá oyó mal alguna. Pida las seis otra vez, despacio, y compare una por una.',
    notTheirs:
      'Si siguen sin coincidir, este enlace puede ser de una solicitud que hizo otra persona. En ese caso, no confirme.',
    stop: 'Deténgase aquí',
    stopBody:
      'Las palabras no coinciden después de varios intentos. Lo más probable es que esta solicitud no sea la que está en la pantalla de la persona con quien habla. No la confirme. Pídale que le envíe otra vez el enlace desde su propia pantalla.',
    failed: 'No se pudieron comprobar las palabras. Mire si tiene conexión y vuelva a intentarlo.',
  },
  confirm: {
    title: '¿Darle a {domain} su clave nueva?',
    checked: 'Ha hablado con la persona detrás de {domain}, y las seis palabras coinciden.',
    first: 'Su confirmación es la primera. No cambia nada hasta que confirme otro guardián.',
    second:
      'Su confirmación es la segunda. La clave nueva vale al momento y la antigua deja de valer. No se puede deshacer.',
    public:
      'Su firma pasa a formar parte del registro público, para siempre. Muestra su clave de guardián, no su nombre.',
    yes: 'Sí, confirmar',
    no: 'No, ahora no',
    sending: 'Enviando',
  },
  done: {
    title: 'Ha confirmado',
    standing:
      '{confirmations, number} de {needed, number} guardianes han confirmado. Cuando confirme uno más, la identidad recibe su clave nueva.',
    until: 'Es posible hasta el <when>.</when>',
    todo: 'Dígale a la persona detrás de {domain} que su parte está hecha. Esa persona también lo ve en su pantalla.',
    executedTitle: '{domain} tiene su clave nueva',
    executed: 'Dos guardianes han confirmado. La clave antigua ha dejado de valer.',
    executedTodo: 'Dígale a la persona detrás de {domain} que ya está.',
    keep: 'Deje su clave de guardián donde está. Sigue siendo su guardián.',
  },
  stop: {
    title: 'Si tiene dudas, no haga nada',
    body: 'Sin usted no cambia nada. La solicitud sigue abierta hasta el <when></when>, y se puede hacer una nueva en cualquier momento.',
    signs: 'No confirme si',
    signReach: 'no consigue hablar con la propia persona,',
    signVoice: 'la voz o las respuestas no son las correctas,',
    signHurry: 'alguien le insiste en que no llame o en que se dé prisa,',
    signWords: 'las seis palabras no coinciden.',
    tell: 'Si cree que hay otra persona detrás de esto, dígaselo a la persona detrás de {domain} y a quien sepa que también es su guardián.',
    again: 'Volver a la solicitud',
  },
  confirmed: {
    title: 'Ya ha confirmado',
    todo: 'No tiene que hacer nada más. Si la persona detrás de {domain} sigue esperando, falta que confirme otro guardián.',
  },
  executed: {
    title: '{domain} tiene su clave nueva',
    what: 'Dos guardianes han confirmado esta solicitud. No queda nada por hacer.',
    todo: 'Si usted no confirmó y nadie le ha hablado de esto, llame a la persona detrás de {domain} y pregúntele si todo está bien.',
  },
  closed: {
    title: 'Esta solicitud está cerrada',
    what: 'Antes se cumplió otra solicitud para {domain}. Esta ya no se puede confirmar.',
    todo: 'Si nadie le ha hablado de esto, llame a la persona detrás de {domain} y pregúntele si todo está bien.',
  },
  expired: {
    title: 'Esta solicitud ha caducado',
    what: 'Las solicitudes valen tres días, y esta, para {domain}, es más antigua. No ha cambiado nada.',
    todo: 'Si la persona detrás de {domain} todavía necesita una clave nueva, puede hacer otra solicitud y enviarle su enlace.',
  },
  superseded: {
    title: 'Usted ya no es guardián de {domain}',
    what: 'Dejó de serlo hace más de tres días, así que su confirmación no cuenta.',
    todo: 'Si aun así alguien le pide ayuda, dígaselo. Quizá puedan ayudar otros guardianes.',
  },
} satisfies typeof english;
