import type english from '../en/accept.ts';

export default {
  title: 'Una invitación para ser guardián',
  decline: 'No, prefiero no aceptar',
  who: {
    title: '{domain} te pide que seas guardián',
    lead: 'Si la persona detrás de {domain} pierde algún día su clave, dos guardianes juntos pueden darle una nueva a la identidad. Le gustaría que fueras uno de ellos.',
    question: '¿Sabes quién es?',
    check:
      'Esta página no puede decírtelo: aquí los nombres son privados. Deberías saberlo por quien te envió el enlace. Si tienes dudas, pregúntale antes.',
    until: 'La invitación vale hasta el <when>.</when>',
    yes: 'Sí, sé quién es',
    unsure: 'No sé bien quién es',
  },
  ask: {
    title: 'Entonces pregunta antes de seguir',
    how: 'Llama a la persona en quien piensas, a un número que ya conozcas, y pregúntale: «¿{domain} eres tú? ¿Me has invitado?»',
    nothing: 'No se ha enviado nada, y no pasa nada si no haces nada. La invitación termina sola el <when>.</when>',
    stranger: 'Si nadie que conozcas te lo ha enviado, cierra esta página y olvídalo.',
    yes: 'Ya pregunté y sé quién es',
  },
  no: {
    title: 'No hay problema',
    body: 'Es un favor, y puedes decir que no. No se ha enviado nada, y esta página no avisa a nadie.',
    tell: 'Por favor, díselo tú a la persona detrás de {domain}, para que pueda pedírselo a otra. Si no, la invitación termina sola el <when>.</when>',
    again: 'He cambiado de opinión',
  },
  what: {
    title: 'Qué puede hacer un guardián y qué no',
    can: 'Puedes',
    canHelp: 'ayudar a darle una clave nueva a {domain}, si su titular te lo pide y otro guardián también confirma.',
    cannot: 'No puedes',
    cannotRead: 'ver datos de salud ni ninguna otra cosa privada.',
    cannotAlone: 'cambiar nada por tu cuenta. Siempre hacen falta dos guardianes.',
    cannotSpend: 'gastar dinero, firmar ni decidir nada en su nombre.',
    cost: 'Cuánto cuesta',
    costNothing: 'Nada, ni ahora ni después. No necesitas una cuenta y puedes pedir que te quiten cuando quieras.',
    public: 'Qué queda público para siempre',
    publicKey:
      'Que {domain} tiene un guardián con cierta clave pública, un número largo creado hoy solo para esto. Se escribe en un registro público que nadie puede cambiar después, ni siquiera nosotros. Nada en ella dice quién eres.',
  },
  day: {
    title: 'Qué hacer el día que te necesiten',
    lead: 'Recibirás un enlace, como hoy. Entonces:',
    call: '<b>Llama tú</b>, a un número que ya conozcas. Nunca uses uno que venga en un mensaje.',
    voice: '<b>Escucha la voz.</b> Pregunta algo que solo sepan ustedes dos.',
    words: '<b>Pide seis palabras.</b> La persona las lee y tú las escribes. Solo las correctas te dejan seguir.',
    key: '<b>Abre tu clave</b>, la que vas a crear ahora, y confirma.',
    hurry:
      'Si alguien tiene mucha prisa y no consigues oír la voz correcta, no hagas nada. Esperar no perjudica a nadie.',
    next: 'Entendido, crear mi clave',
  },
  key: {
    bound:
      'Esta invitación es para una clave que ya tienes, como guardián de {domain} o de otra persona. Ninguna otra clave puede aceptarla.',
    making: 'Creando tu clave',
    makingBody: 'Se crea en este navegador y nunca sale de él.',
    failed: 'No se pudo crear tu clave',
    failedBody:
      'Revisa tu conexión y vuelve a intentarlo. Si no funciona, abre el enlace en un navegador actualizado, en este dispositivo o en otro. No se ha perdido nada.',
    retry: 'Volver a intentarlo',
    kept: 'Ya guardaste tu clave',
    keptBody: 'Tienes una copia tuya y puedes seguir. Si quieres, guarda una segunda copia en otro lugar.',
    again: 'Guardar otra copia',
  },
  accept: {
    title: '¿Quieres ser guardián de {domain}?',
    lead: 'Tu clave está guardada. Hasta ahora no se ha enviado nada.',
    sends:
      'Si aceptas, este navegador envía tu clave pública y tu firma, nada más. Las dos quedan públicas para siempre.',
    role: 'Serás su {role}.',
    yes: 'Sí, acepto',
    sending: 'Enviando',
  },
  done: {
    title: 'Eres guardián de {domain}',
    lead: 'Gracias. Tu aceptación ha llegado.',
    words: 'Seis palabras para comparar',
    wordsBody:
      'La persona detrás de {domain} te pedirá estas palabras, para estar segura de que fue tu clave la que llegó. Léeselas por teléfono o en persona.',
    next: 'Qué pasa ahora',
    nextConfirm: 'Compara las palabras y te confirma. Tú no tienes que hacer nada.',
    nextKeep:
      'Guarda bien el archivo o las 24 palabras de tu clave. La copia en este navegador puede desaparecer; sin tu clave no puedes ayudar.',
    nextLost: 'Si la pierdes, avísale. Puede invitarte otra vez.',
    nextDay: 'El día que te necesiten: llama tú, escucha la voz, pide las seis palabras.',
    close: 'Ya puedes cerrar esta página.',
  },
  used: {
    title: 'Esta invitación ya se ha usado',
    what: 'Ya fue aceptada, y un enlace solo funciona una vez.',
    you: 'Si fuiste tú, todo está hecho. Guarda bien el archivo o las palabras de tu clave.',
    other:
      'Si no fuiste tú, avisa pronto a la persona detrás de {domain}. Debería quitar a ese guardián e invitarte otra vez.',
  },
  expired: {
    title: 'Esta invitación ha caducado',
    what: 'Las invitaciones valen tres días, y la de {domain} es más antigua. No ha pasado nada.',
    todo: 'Si todavía quieres ayudar, pide a la persona detrás de {domain} que te invite otra vez.',
  },
  superseded: {
    title: 'Esta invitación ya no vale',
    what: 'La retiraron, o una más nueva ocupó su lugar. No ha pasado nada.',
    todo: 'Mira si tienes un enlace más nuevo. Si no, pregunta a quien te invitó.',
  },
  locked: {
    title: '{domain} está bloqueada',
    what: 'Su titular la ha bloqueado, y hasta que la desbloquee nadie puede convertirse en su guardián. Tu invitación sigue valiendo hasta el <when>.</when>',
    todo: 'Habla con la persona detrás de {domain}. Cuando la haya desbloqueado, abre este enlace otra vez.',
    other: 'Si no sabe nada de esto, puede que otra persona tenga su clave: tiene que ocuparse ya.',
  },
} satisfies typeof english;
