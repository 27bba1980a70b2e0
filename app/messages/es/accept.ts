import type english from '../en/accept.ts';

export default {
  title: 'Una invitación para ser guardián',
  decline: 'No, prefiero no aceptar',
  who: {
    title: '{domain} le pide que sea su guardián',
    lead: 'Si la persona detrás de {domain} pierde algún día su clave, dos guardianes juntos pueden darle una nueva a la identidad. Le gustaría que usted fuera uno de ellos.',
    question: '¿Sabe quién es?',
    check:
      'Esta página no puede decírselo: aquí los nombres son privados. Debería saberlo por quien le envió el enlace. Si tiene dudas, pregúntele antes.',
    until: 'La invitación vale hasta el <when>.</when>',
    yes: 'Sí, sé quién es',
    unsure: 'No sé bien quién es',
  },
  ask: {
    title: 'Entonces pregunte antes de seguir',
    how: 'Llame a la persona en quien piensa, a un número que ya conozca, y pregúntele: «¿{domain} eres tú? ¿Me has invitado?»',
    nothing:
      'No se ha enviado nada, y no pasa nada si usted no hace nada. La invitación termina sola el <when>.</when>',
    stranger: 'Si nadie que usted conozca se lo ha enviado, cierre esta página y olvídelo.',
    yes: 'Ya pregunté y sé quién es',
  },
  no: {
    title: 'No hay problema',
    body: 'Es un favor, y puede decir que no. No se ha enviado nada, y esta página no avisa a nadie.',
    tell: 'Por favor, dígaselo usted a la persona detrás de {domain}, para que pueda pedírselo a otra. Si no, la invitación termina sola el <when>.</when>',
    again: 'He cambiado de opinión',
  },
  what: {
    title: 'Qué puede hacer un guardián y qué no',
    can: 'Usted puede',
    canHelp: 'ayudar a darle una clave nueva a {domain}, si su titular se lo pide y otro guardián también confirma.',
    cannot: 'Usted no puede',
    cannotRead: 'ver datos de salud ni ninguna otra cosa privada.',
    cannotAlone: 'cambiar nada por su cuenta. Siempre hacen falta dos guardianes.',
    cannotSpend: 'gastar dinero, firmar ni decidir nada en su nombre.',
    cost: 'Cuánto cuesta',
    costNothing: 'Nada, ni ahora ni después. No necesita una cuenta y puede pedir que le quiten cuando quiera.',
    public: 'Qué queda público para siempre',
    publicKey:
      'Que {domain} tiene un guardián con cierta clave pública, un número largo. Se escribe en un registro público que nadie puede cambiar después, ni siquiera nosotros. Nada en ella dice quién es usted.',
  },
  day: {
    title: 'Qué hacer el día que le necesiten',
    lead: 'Recibirá un enlace, como hoy. Entonces:',
    call: '<b>Llame usted</b>, a un número que ya conozca. Nunca use uno que venga en un mensaje.',
    voice: '<b>Escuche la voz.</b> Pregunte algo que solo sepan ustedes dos.',
    words: '<b>Pida seis palabras.</b> La persona las lee y usted las escribe. Solo las correctas le dejan seguir.',
    key: '<b>Abra su clave</b>, la que va a crear ahora, y confirme.',
    hurry:
      'Si alguien tiene mucha prisa y no consigue oír la voz correcta, no haga nada. Esperar no perjudica a nadie.',
    next: 'Entendido, crear mi clave',
  },
  key: {
    bound:
      'Esta invitación es para una clave que usted ya tiene, como guardián de {domain} o de otra persona. Ninguna otra clave puede aceptarla.',
    making: 'Creando su clave',
    makingBody: 'Se crea en este navegador y nunca sale de él.',
    failed: 'No se pudo crear su clave',
    failedBody:
      'Revise su conexión y vuelva a intentarlo. Si no funciona, abra el enlace en un navegador actualizado, en este dispositivo o en otro. No se ha perdido nada.',
    retry: 'Volver a intentarlo',
    kept: 'Ya guardó su clave',
    keptBody: 'Tiene su propia copia y puede seguir. Si quiere, guarde una segunda copia en otro lugar.',
    again: 'Guardar otra copia',
    own: 'Usar una clave que ya tengo',
    ownNew: 'Crear una clave nueva',
    ownTitle: '¿Usar esta clave?',
    ownPublic: 'Esta es su parte pública. Pasa a ser pública como la clave de un guardián de {domain}.',
    ownName: 'clave pública',
    ownCompare:
      'Compárela con la clave pública que muestra su otro programa. Si es distinta, ha pegado otra cosa, quizá la propia clave pública.',
    ownSame:
      'Si usa esta clave en otro lugar, cualquiera puede ver que las dos son de la misma persona. Una clave nueva lo evita.',
    ownYes: 'Usar esta clave',
    ownAnother: 'Elegir otra clave',
  },
  accept: {
    title: '¿Quiere ser guardián de {domain}?',
    lead: 'Su clave está guardada. Hasta ahora no se ha enviado nada.',
    sends:
      'Si acepta, este navegador envía su clave pública y su firma, nada más. Las dos quedan públicas para siempre.',
    role: 'Será su {role}.',
    yes: 'Sí, acepto',
    sending: 'Enviando',
  },
  done: {
    title: 'Usted es guardián de {domain}',
    lead: 'Gracias. Su aceptación ha llegado.',
    words: 'Seis palabras para comparar',
    wordsBody:
      'La persona detrás de {domain} le pedirá estas palabras, para estar segura de que fue su clave la que llegó. Léaselas por teléfono o en persona.',
    next: 'Qué pasa ahora',
    nextConfirm: 'La persona compara las palabras y le confirma. Usted no tiene que hacer nada.',
    nextKeep:
      'Guarde bien su copia de la clave: el archivo, las 24 palabras o donde la tenga. Los navegadores olvidan, y sin su clave no puede ayudar.',
    nextLost: 'Si la pierde, avise a esa persona. Puede invitarle otra vez.',
    nextDay: 'El día que le necesiten: llame usted, escuche la voz, pida las seis palabras.',
    close: 'Ya puede cerrar esta página.',
  },
  used: {
    title: 'Esta invitación ya se ha usado',
    what: 'Ya fue aceptada, y un enlace solo funciona una vez.',
    you: 'Si fue usted, todo está hecho. Guarde bien su copia de la clave.',
    other:
      'Si no fue usted, avise pronto a la persona detrás de {domain}. Debería quitar a ese guardián e invitarle otra vez.',
    words: 'Si fue usted y todavía necesita las seis palabras para comparar, abra su clave.',
    show: 'Abrir mi clave y ver las seis palabras',
  },
  expired: {
    title: 'Esta invitación ha caducado',
    what: 'Las invitaciones valen tres días, y la de {domain} es más antigua. No ha pasado nada.',
    todo: 'Si todavía quiere ayudar, pida a la persona detrás de {domain} que le invite otra vez.',
  },
  superseded: {
    title: 'Esta invitación ya no vale',
    what: 'La retiraron, o una más nueva ocupó su lugar. No ha pasado nada.',
    todo: 'Mire si tiene un enlace más nuevo. Si no, pregunte a quien le invitó.',
  },
  locked: {
    title: '{domain} está bloqueada',
    what: 'Su titular la ha bloqueado, y hasta que la desbloquee nadie puede convertirse en su guardián. Su invitación sigue valiendo hasta el <when>.</when>',
    todo: 'Hable con la persona detrás de {domain}. Cuando la haya desbloqueado, abra este enlace otra vez.',
    other: 'Si no sabe nada de esto, puede que otra persona tenga su clave: tiene que ocuparse ya.',
  },
} satisfies typeof english;
