import type english from '../en/keys.ts';

export default {
  anotherWay: 'Elegir otra forma',
  next: 'Continuar',
  brokenTitle: 'Esta parte de la página no se cargó',
  broken: 'Revise su conexión y vuelva a cargar la página. Si este navegador guarda su clave, seguirá aquí.',
  progress: 'Avance',

  choose: {
    title: 'Guarde una copia de su clave',
    made: 'Su clave se creó aquí, en su dispositivo, hace un momento. Nadie más la tiene, y nosotros tampoco.',
    forgets:
      'Los navegadores olvidan lo que guardan, algunos en una semana. Por eso, antes de seguir, haga una copia que se quede con usted.',
    why: '{purpose, select, guardian {Sin ella no podría ayudar a {domain} el día que haga falta.} other {Sin ella ya no podría actuar por {domain}.}}',
    how: 'Con una de estas formas basta:',
    file: 'Guardar un archivo',
    fileWhat: 'Protegido por una contraseña que usted elige. Para quien tiene un buen lugar para sus archivos.',
    words: 'Anotar 24 palabras',
    wordsWhat: 'En papel, a mano o con impresora. Para quien tiene un buen lugar para sus papeles.',
  },

  passphrase: {
    title: 'Elija una contraseña para el archivo',
    lead: 'Quien encuentre el archivo no puede hacer nada con él sin la contraseña. Nosotros no la conocemos, y nadie puede restablecerla.',
    label: 'Contraseña',
    hint: 'Al menos {count, number} caracteres. Cuatro o cinco palabras que no tengan nada que ver entre sí son fáciles de recordar y difíciles de adivinar.',
    show: 'Mostrar',
    hide: 'Ocultar',
    showLong: 'Mostrar la contraseña',
    hideLong: 'Ocultar la contraseña',
    short:
      '{count, plural, =0 {Falta la contraseña.} one {Esa contraseña tiene solo # carácter.} other {Esa contraseña tiene solo # caracteres.}} Use al menos {minimum, number}: quien tenga el archivo puede probar millones de contraseñas cortas sin que nadie se dé cuenta.',
    simple: 'Esa contraseña repite siempre los mismos caracteres y sería fácil de adivinar. Mézclela un poco más.',
    make: 'Crear el archivo',
    making:
      'Creando el archivo. Tarda unos segundos: lo que es lento para usted también lo es para quien intente adivinar.',
    failedTitle: 'Este dispositivo no pudo crear el archivo',
    failed: 'Puede que le falte memoria. Cierre otras páginas e inténtelo de nuevo, o vuelva y anote las 24 palabras.',
  },

  save: {
    title: 'Guarde el archivo',
    ready: 'El archivo está listo. Se llama {name}.',
    where:
      'Póngalo donde lo vaya a encontrar dentro de unos años: un gestor de contraseñas, una carpeta en la nube, una memoria USB junto a sus documentos. Guarde la contraseña en otro lugar.',
    download: 'Guardar el archivo',
    saved: 'Ya lo guardé',
    trouble:
      '¿No pasa nada? Algunas aplicaciones no pueden guardar archivos. Abra esta página en el navegador que usa siempre, o vuelva y anote las 24 palabras.',
  },

  check: {
    title: 'Compruebe que se abre',
    lead: 'Elija el archivo en el lugar donde lo acaba de guardar y escriba la contraseña una vez más. Así sabrá que los dos funcionarán el día que los necesite.',
    open: 'Abrir el archivo',
    different: 'Este archivo es de otra clave. Elija el que acaba de guardar, {name}.',
    again: 'Guardar el archivo otra vez',
  },

  write: {
    title: 'Anote estas 24 palabras',
    lead: 'En este orden y con sus números. Son su clave: quien tiene las palabras tiene la clave. Están en inglés en todos los idiomas, para que sirvan en cualquier lugar.',
    list: 'Las 24 palabras de su clave',
    print: 'Imprimir una tarjeta',
    printHint: 'La tarjeta también dice qué hacer ese día. Imprímala solo en una impresora de confianza.',
    private: 'No les haga fotos ni se las envíe a nadie. Nosotros nunca las pedimos, ni por correo ni por teléfono.',
    written: 'Ya las tengo en papel',
  },

  ask: {
    title: 'Dos de las palabras, para asegurarnos',
    lead: 'Mire su papel y escriba estas dos palabras.',
    hint: 'Bastan las primeras letras: elija la palabra de la lista.',
    check: 'Comprobar',
    wrong:
      '{count, plural, one {La palabra {positions} no es esa.} other {Las palabras {positions} no son esas.}} Mire su papel una vez más. Si el error está en el papel, vuelva a ver las palabras y corríjalo.',
    empty:
      '{count, plural, one {Falta escribir la palabra {positions}.} other {Falta escribir las palabras {positions}.}}',
    again: 'Volver a ver las palabras',
  },

  kept: {
    title: 'Ya tiene su propia copia',
    file: 'El archivo se abre con su contraseña. Guarde los dos, cada uno en un lugar.',
    words: 'Las dos palabras son correctas. Guarde el papel donde guarda lo importante.',
    card: 'También puede imprimir una tarjeta que dice para qué sirve el archivo y qué hacer ese día.',
    print: 'Imprimir una tarjeta',
  },

  card: {
    title: '{purpose, select, guardian {Guardián de {domain}} other {Clave de {domain}}}',
    made: 'Hecha el {date} en {site}',
    about:
      '{purpose, select, guardian {Esta tarjeta es de un guardián de {domain}. Con ella, y junto con un segundo guardián, se puede ayudar a la persona de {domain} que perdió su clave. Por sí sola no sirve para nada.} other {Esta tarjeta es la clave de {domain}. Quien la tenga puede actuar por {domain}.}}',
    dayTitle: '{purpose, select, guardian {El día que le llamen} other {Cuando la necesite}}',
    guardianDay: {
      call: 'Llame usted a la persona, a un número que ya conozca, o encuéntrese con ella. Nunca use un número que venga en el mensaje.',
      words: 'Pídale seis palabras y anótelas.',
      link: 'Abra el enlace que recibió. Empieza por {site}',
      key: '{kept, select, file {Escriba las seis palabras; después elija el archivo de su clave y escriba su contraseña.} other {Escriba las seis palabras y después las 24 palabras de esta tarjeta.}}',
      doubt: 'Si algo le parece raro, no haga nada. Sin usted no pasa nada.',
    },
    holderDay: {
      open: '{kept, select, file {En un dispositivo nuevo, abra {site}/sign-in y elija el archivo de su clave.} other {En un dispositivo nuevo, abra {site}/sign-in y escriba las 24 palabras de esta tarjeta.}}',
      lost: 'Si pierde la clave, abra {site}/recover. Dos de sus guardianes pueden ayudarle.',
    },
    never: 'Nadie de Perpetua le pedirá nunca estas palabras, el archivo ni su contraseña.',
    words: 'Las 24 palabras',
    file: 'La clave es un archivo llamado {name}',
    place: 'Dónde está guardado:',
  },

  word: 'Palabra {number, number}',

  open: {
    looking: 'Buscando su clave en este navegador…',
    foundTitle: 'Su clave está en este navegador',
    found:
      '{purpose, select, guardian {Este navegador guardó la clave que usted creó como guardián de {domain}.} other {Este navegador guardó la clave de {domain}.}}',
    use: 'Usar esta clave',
    fromBrowser: 'La clave de este navegador',
    useAnother: 'Usar mi propia copia',
    chooseTitle: 'Abra su clave',
    chooseLead:
      '{purpose, select, guardian {Cuando aceptó ser guardián de {domain} guardó una copia de su clave. ¿Cuál es?} other {Usted guardó una copia de la clave de {domain}. ¿Cuál es?}}',
    notHere: 'No está en este navegador. No se preocupe: los navegadores olvidan, y quizá este sea otro dispositivo.',
    file: 'El archivo',
    fileWhat: 'Su nombre empieza por perpetua y termina en .json. También necesita su contraseña.',
    words: 'Las 24 palabras',
    wordsWhat: 'En papel, o en la tarjeta que imprimió.',
    foundSame: 'Este navegador guarda la clave con la que le invitaron.',
    chooseAny: '¿Qué clave quiere usar? No puede ser la de la propia {domain}, ni la de otro de sus guardianes.',
    hereIdentity: 'La clave de {domain}',
    hereGuardian: 'Su clave como guardián de {domain}',
    hereUnnamed: 'Una clave de guardián cuya parte pública termina en {end}',
    herePassphrase: 'Guardada en este navegador. Necesita su contraseña.',
    hereCopy: 'Guardada en este navegador.',
    hereTitle: 'Desbloquee la clave de {domain}',
    hereLead: 'Escriba la contraseña que eligió al traer esta clave al navegador. La clave se queda en su dispositivo.',
    hereLost: 'Este navegador ha perdido esa clave. Elija otra forma.',
    code: 'Una clave secreta en hexadecimal',
    codeWhat: '64 o 128 caracteres, de una clave creada con otro programa.',
    codeTitle: 'Pegue su clave secreta',
    codeLead:
      '{purpose, select, guardian {Se queda en su dispositivo. Esta página firma con ella, envía solo la firma y no guarda la clave.} other {Se queda en su dispositivo. Solo salen de él firmas. Una clave así no tiene 24 palabras; después guárdela como archivo.}}',
    neither: 'No tengo ninguna de las dos cosas',
    fileTitle: 'Abra el archivo',
    fileLead: 'Se queda en su dispositivo. De aquí solo sale su firma.',
    filePick: 'El archivo de su clave',
    opening: 'Abriendo el archivo. Tarda unos segundos.',
    open: 'Abrir',
    wordsTitle: 'Escriba sus 24 palabras',
    wordsLead:
      'Bastan las primeras letras: elija la palabra de la lista. Si las tiene todas en un texto, péguelo en el primer campo.',
    wordsOpen: 'Abrir',
    wordsList: 'Sus 24 palabras',
    neitherTitle: 'Si no tiene ninguna de las dos cosas',
    neither1:
      '{purpose, select, guardian {Sin su clave no puede confirmar, y nosotros no podemos hacerle otra. Dígaselo a la persona cuando la llame. Con otros dos guardianes basta.} institution {Entonces nadie puede crear otra clave para {domain}, y nosotros tampoco. Pregunte quién más en la institución puede tener una copia.} other {Entonces pueden ayudarle sus guardianes: dos de ellos, juntos, pueden darle una clave nueva a {domain}.}}',
    neither2:
      'Antes de rendirse, busque donde guarda contraseñas y papeles, y pruebe con el navegador y el dispositivo que usó aquella vez.',
    recover: 'Recuperar con sus guardianes',
  },

  code: {
    label: 'Su clave secreta',
    hint: '64 o 128 caracteres, cifras y las letras de la a a la f.',
    showLong: 'Mostrar la clave secreta',
    hideLong: 'Ocultar la clave secreta',
    empty: 'Primero pegue la clave.',
    foreign: 'Esto no es una clave secreta: hay en ella otros caracteres además de cifras y las letras de la a a la f.',
    length:
      '{count, plural, one {Aquí hay solo # carácter.} other {Aquí hay # caracteres.}} Una clave secreta tiene 128 y una semilla 64. Quizá no se copió una parte.',
    halves:
      'Las dos mitades de esta clave no casan: la segunda no es la clave pública de la primera. Falta una parte o se ha cambiado.',
    publicKey:
      '{purpose, select, guardian {Esta es su clave pública, que todos pueden ver. Pegue la secreta que le corresponde.} other {Esta es la clave pública de {domain}, que todos pueden ver. Aquí hace falta la secreta.}}',
    file: 'Este es el texto de un archivo. Vuelva y elija el archivo.',
    other:
      '{purpose, select, guardian {Esta clave está completa, pero no es la clave con la que le invitaron como guardián de {domain}. Si tiene varias, pruebe con otra.} other {Esto es una clave y está completa. Pero no es la clave actual de {domain}. Puede que se haya cambiado.}}',
  },

  problem: {
    noFile: 'Elija primero un archivo.',
    noPassphrase: 'Escriba la contraseña.',
    foreign: 'Este no es un archivo de clave de Perpetua. Su nombre empieza por perpetua y termina en .json.',
    damaged:
      'Este es un archivo de clave, pero le falta una parte o se modificó. Use otra copia, o las 24 palabras si las tiene.',
    newer:
      'Este archivo lo creó una versión más nueva de Perpetua. Vuelva a cargar la página; si no sirve, ábralo donde se creó.',
    excessive:
      'Este archivo pide más memoria de la que un archivo de clave necesita jamás, así que no lo abrimos. No se creó aquí.',
    passphrase:
      'Esta contraseña no abre el archivo. Revise las mayúsculas, los espacios y el idioma del teclado. No se pierde nada: inténtelo las veces que quiera.',
    device:
      'Este dispositivo no pudo abrir el archivo. Puede que le falte memoria: cierre otras páginas e inténtelo de nuevo, o use otro dispositivo.',
    otherKeyTitle: 'Esta es otra clave',
    otherFile:
      '{purpose, select, guardian {Este archivo contiene una clave de guardián de {fileDomain}} other {Este archivo contiene una clave de {fileDomain}}}, creada el {date}. No es la clave que hace falta aquí, para {domain}.',
    olderFile:
      'Este archivo contiene otra clave de {domain}, creada el {date}. Puede que tenga más de uno: busque un archivo de otro día.',
    otherWords:
      '{purpose, select, guardian {Estas palabras son una clave, y está completa. Pero no es la clave con la que usted aceptó ser guardián de {domain}.} other {Estas palabras son una clave, y está completa. Pero no es la clave de {domain}.}} Puede que tenga más de un papel.',
    unknownWords:
      '{count, plural, one {No está en la lista de palabras: {words}. Mire cómo se escribe.} other {No están en la lista de palabras: {words}. Mire cómo se escriben.}}',
    unknownWord: 'palabra {position, number} (“{typed}”)',
    missingWords:
      '{count, plural, one {Todavía falta la palabra {positions}.} other {Todavía faltan las palabras {positions}.}}',
    checksum:
      'Todas las palabras están en la lista, pero juntas no son una clave. Una de ellas es otra, o dos cambiaron de lugar. Compárelas con su papel, una por una.',
  },
} satisfies typeof english;
