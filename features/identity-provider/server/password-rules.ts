/**
 * What most passwords of twelve and more characters in public breach lists are put together from, in lower
 * case, letters for digits (`passw0rd` is found as `password`). Runs on the keyboard, of the alphabet and of
 * digits are found by rule.
 */
const commonWords: readonly string[] = `
  password passwort passwd motdepasse contrasena parola haslo secret geheim mypass passphrase
  admin administrator root user guest test default login logon signin operator support service master server system
  welcome willkommen bienvenue hello hallo bonjour letmein changeme change please access open sesame enter
  iloveyou loveyou love lover forever always baby babygirl angel princess prince sunshine moonlight sweetheart honey darling
  monkey dragon tiger eagle lion wolf horse shadow ghost phoenix unicorn butterfly dolphin kitty kitten puppy doggy
  football fussball baseball basketball hockey soccer tennis golf liverpool chelsea arsenal manchester united barcelona
  realmadrid juventus bayern borussia yankees cowboys lakers steelers packers
  superman batman spiderman ironman starwars skywalker pokemon pikachu naruto mario zelda minecraft fortnite matrix
  michael michelle jennifer jessica ashley daniel andrew joshua matthew charlie thomas robert william alexander nicole
  anthony christopher elizabeth samantha victoria jordan hunter ranger george martin
  computer internet windows microsoft google facebook samsung iphone android linux apple laptop network website online
  company office business money dollar freedom success winner champion lucky happy summer winter spring autumn sommer
  fruehling fruhling herbst monday tuesday wednesday thursday friday saturday sunday montag freitag january february march april
  june july august september october november december januar februar maerz marz juni juli oktober dezember
  london paris berlin newyork california texas america deutschland germany france england europe
  jesus christ jesuschrist god blessed heaven faith trustno trust nobody whatever unbelievable remember together
  chocolate cookie cheese banana orange pepper coffee pizza purple yellow silver golden diamond flower rainbow
  mustang ferrari porsche mercedes harley corvette motorcycle bigdog fuckyou fuckoff asshole pussy sexy
  metallica nirvana beatles eminem rockstar guitar music dance party
  qwerty qwertz azerty asdf zxcv yxcv qazwsx wsxedc edcrfv zaqxsw qweasd asdzxc poiuy mnbvc qweqwe asdasd
  correcthorsebatterystaple masterofpuppets
  portico
`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length);

/** The person that a password is for. What others know of a person makes no good password. */
export type PasswordOwner = { email: string; firstName?: string; lastName?: string };

const keyboardRows = [
  'qwertzuiop',
  'qwertyuiop',
  'azertyuiop',
  'asdfghjkl',
  'yxcvbnm',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
];
/** Columns of a keyboard, and digits through the zero: `1q2w3e4r` and `7890` run on. */
const otherRuns = [
  '01234567890',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  'q1w2e3r4t5y6',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '!@#$%^&*()',
  '!"§$%&/()=',
];
const runs = [...keyboardRows, ...otherRuns].flatMap((run) => [run, run.split('').toReversed().join('')]);
const runTriples = new Set(
  runs.flatMap((run) => Array.from({ length: run.length - 2 }, (_, start) => run.slice(start, start + 3))),
);

/** Characters that must be left, all different, once everything known is taken away. */
const leastLeft = 4;

/**
 * Whether a password is a common one (NIST SP 800-63B 5.1.1.2): made of common words, runs, repetitions,
 * years, and what is known of its owner, or in a list of leaked ones with at most so much around it. Lengths are
 * checked elsewhere.
 */
export async function isCommonPassword(password: string, owner: PasswordOwner): Promise<boolean> {
  const typed = folded(password);
  const withoutYears = typed.replaceAll(/(19|20)\d\d/g, ' ');
  return (
    [typed, withoutYears, withoutLeet(withoutYears)].some(
      (text) => new Set(rest(text, owner)).size < leastLeft,
    ) || (await isLeaked(typed))
  );
}

/** Whether a password is a leaked one, also with a few digits and signs before or behind it. */
async function isLeaked(typed: string): Promise<boolean> {
  // Unpacked when a password is first chosen: 5 MB that a process at rest does not need.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const leaked = dictionary['passwords-common'];
  const core = typed.replaceAll(/^[^\p{L}]{1,6}|[^\p{L}]{1,6}$/gu, '');
  return [typed, core, withoutLeet(core)].some((text) => leaked.includes(text));
}

/** What remains of a text when everything that an attacker tries first is taken away. */
function rest(text: string, owner: PasswordOwner): string {
  let left = withoutRepetition(text);
  for (const word of [...ownWords(owner), ...commonWords]) left = left.replaceAll(word, ' ');
  return withoutRuns(left).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Removes case, accents and widths, which make no password out of a word. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Replaces signs by letters: guessing programs try `4dm1n` for `admin`. */
function withoutLeet(text: string): string {
  const letters: Record<string, string> = {
    0: 'o',
    1: 'i',
    3: 'e',
    4: 'a',
    5: 's',
    7: 't',
    '@': 'a',
    $: 's',
    '!': 'i',
    '€': 'e',
  };
  return text.replaceAll(/[013457@$!€]/g, (sign) => letters[sign] ?? sign);
}

/** `abc` for `abcabcabcabc`: up to six characters over and over count once. */
function withoutRepetition(text: string): string {
  return text.replaceAll(/(.{1,6}?)\1{2,}/gu, '$1');
}

function withoutRuns(text: string): string {
  const inRun = new Set<number>();
  for (let start = 0; start + 3 <= text.length; start += 1) {
    if (runTriples.has(text.slice(start, start + 3)))
      for (const at of [start, start + 1, start + 2]) inRun.add(at);
  }
  return Array.from({ length: text.length }, (_, at) => (inRun.has(at) ? ' ' : text.charAt(at))).join('');
}

function ownWords({ email, firstName = '', lastName = '' }: PasswordOwner): string[] {
  return [email, ...`${email} ${firstName} ${lastName}`.split(/[^\p{L}\p{N}]+/u)]
    .map(folded)
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
}
