/**
 * The page around verify.mjs: reads a selected or dropped bundle, calls verifyBundle and shows the
 * result as text.
 */
import { internals, simulatedWords, verifyBundle } from '../verify.mjs'

/** Purpose of each check, and the meaning of its result. */
const questions = {
  B1: [
    'Is the file whole?',
    'Every file in the bundle has the hash that its manifest names, and none is foreign.',
  ],
  B2: [
    'Is it a passport?',
    'It has the members of a passport, no others, and is written in the one form that can be signed.',
  ],
  B3: ['Does its hash fit?', 'The hash by which the passport is known is that of these claims.'],
  B4: ['Is it signed?', 'The key that the passport names has signed these very bytes.'],
  B5: [
    'Is that the issuer’s key?',
    'Anybody can make a key. Only a fingerprint that you got from the issuer says whose it is.',
  ],
  B6: [
    'Was its publication logged?',
    'The event of the publication is a leaf of a log to which entries can only be added.',
  ],
  B7: [
    'Did the log sign for that?',
    'The head of the log is signed by the key that the issuer named, or by one that follows from it.',
  ],
  B8: [
    'Is it the log that you knew?',
    'Against a head that you kept: nothing was taken out or rewritten since.',
  ],
  B9: ['Did somebody else see the log?', 'A witness that you trust has signed the same head.'],
  B10: [
    'Are the records the ones it names?',
    'Vault, score, observations, receipts and incidents hash to what the passport binds.',
  ],
  B11: [
    'Do the figures follow?',
    'What can be computed from the records is computed again, depth from the state of the pools, owned liquidity from its positions.',
  ],
  B12: [
    'Does the chain say so?',
    'Owners, threshold and pools are proven against the block. That the block is the chain’s, a node says: verify.mjs can ask one, this page cannot.',
  ],
  B13: [
    'Did a registry confirm it?',
    'Where the passport names a registry of results, its receipt is for this passport.',
  ],
  B14: [
    'Are its files vouched for?',
    'The service has signed the hashes of the page, PDF, tables and badges.',
  ],
  B15: [
    'Is it in force?',
    'It is neither revoked nor has it run out at the time for which you ask: now, where you name none. What was revoked after the bundle was made it cannot know.',
  ],
}
const resultWords = { PASS: 'Holds', NOT_CHECKED: 'Not checked', FAIL: 'Fails' }
const kindWords = {
  integrity: 'Unchanged and consistent',
  authority: 'By whom it says',
  freshness: 'Of fresh sources',
  status: 'In force',
}

const element = (id) => document.getElementById(id)
function made(tag, text, css = '') {
  const node = document.createElement(tag)
  node.textContent = text
  node.className = css
  return node
}
function madeOf(tag, children, css = '') {
  const node = made(tag, '', css)
  node.append(...children)
  return node
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`

/**
 * Values that the reader enters, as options of verify.mjs. An empty field sets no option, but an
 * empty time means now.
 */
function options() {
  const fields = {
    issuerKey: 'issuer-key',
    knownCheckpoint: 'known-checkpoint',
    logKey: 'log-key',
    witness: 'witness',
    at: 'at',
  }
  const given = Object.entries(fields).map(([name, id]) => [name, element(id).value.trim()])
  return { at: now(), ...Object.fromEntries(given.filter(([, value]) => value !== '')) }
}

const worst = (lines) =>
  ['FAIL', 'NOT_CHECKED', 'PASS'].find((one) => lines.some(({ result }) => result === one))
const doPass = (lines, codes) =>
  codes.every((wanted) => worst(lines.filter(({ code }) => code === wanted)) === 'PASS')

/** The headline of the result. */
function verdictOf({ lines, ok }, at, passport) {
  const failed = new Set(lines.filter(({ result }) => result === 'FAIL').map(({ code }) => code))
  if (!ok)
    return [
      'FAIL',
      `Do not rely on this bundle: ${[...failed].join(', ')} ${failed.size === 1 ? 'fails' : 'fail'}.`,
    ]
  if (!doPass(lines, ['B5', 'B6', 'B7', 'B15']))
    return [
      'NOT_CHECKED',
      'Nothing fails, but whose word it is nobody has said: give the fingerprint of the issuer’s key.',
    ]
  if (passport.validUntil <= now())
    return [
      'NOT_CHECKED',
      `Nothing fails for ${at}, for which you ask, but the passport ended at ${passport.validUntil}.`,
    ]
  const open = lines.filter(({ result }) => result === 'NOT_CHECKED').length
  return [
    'PASS',
    open === 0
      ? 'Everything holds.'
      : `Nothing fails, and it is signed by the key that you were given. Not checked: ${open} of ${lines.length}, each with its reason.`,
  ]
}

function row(name, value) {
  return madeOf('div', [made('dt', name), made('dd', value)])
}

/** The passport, and its reported revocations if that check passed; null unless it is signed. */
function signedParts(bytes, found) {
  if (!doPass(found.lines, ['B2', 'B3', 'B4'])) return null
  const files = internals.readZip(bytes)
  const parsed = (path) => JSON.parse(new TextDecoder().decode(files.get(path)))
  const isTold = worst(found.lines.filter(({ code }) => code === 'B15')) !== 'FAIL'
  return { ...parsed('passport.json'), toldAsOf: isTold ? parsed('revocations.json').asOf : null }
}

/** Issuer of the passport. */
function passportRows({ issuerName, slug, generatedAt, validUntil, toldAsOf }) {
  return [
    row('Issuer, as it calls itself', `${issuerName} (${slug})`),
    row('Issued', generatedAt),
    row('Valid until', validUntil),
    ...(toldAsOf === null ? [] : [row('Revocations are known up to', toldAsOf)]),
  ]
}

/** Combined result of several lines. If an earlier check ended them, none was checked. */
function wordsOf(lines) {
  const result = worst(lines) ?? 'NOT_CHECKED'
  const isPart = result === 'NOT_CHECKED' && lines.some((line) => line.result === 'PASS')
  return isPart ? 'Holds in part' : resultWords[result]
}

function card(code, lines) {
  const [question, meaning] = questions[code]
  const result = worst(lines)
  const head = [made('h3', `${code} ${question}`), made('span', wordsOf(lines))]
  const items = lines.map(({ result: own, detail }) => made('li', `${resultWords[own]}: ${detail}`))
  return madeOf('article', [madeOf('div', head, result), made('p', meaning), madeOf('ul', items)])
}

function show(name, bytes, asked) {
  const found = verifyBundle(bytes, asked)
  const passport = signedParts(bytes, found)
  const [result, words] = verdictOf(found, asked.at, passport)
  const kinds = Object.entries(kindWords).map(([kind, title]) =>
    row(
      kind === 'status' ? `${title} at ${asked.at}` : title,
      wordsOf(found.lines.filter((line) => line.kind === kind)),
    ),
  )
  element('verdict').className = result
  element('verdict').replaceChildren(
    made('strong', words),
    ...(found.simulated.length > 0 ? [made('p', `SIMULATED ${simulatedWords(found)}`)] : []),
    madeOf('dl', [
      row('File', name),
      ...(passport === null ? [] : passportRows(passport)),
      ...kinds,
    ]),
  )
  const codes = [...new Set(found.lines.map(({ code }) => code))]
  const cards = codes.map((code) =>
    card(
      code,
      found.lines.filter((line) => line.code === code),
    ),
  )
  element('findings').replaceChildren(made('h2', 'Check by check'), ...cards)
  return found.lines
}

function showUnreadable(name, { message }) {
  element('verdict').className = 'FAIL'
  element('verdict').replaceChildren(
    made('strong', 'This is no bundle that can be read.'),
    made('p', `${name}: ${message}`),
  )
  element('findings').replaceChildren()
}

let chosen = null
/** True if the fields differ from those of the shown verdict. */
let isStale = false

/** A verdict for another file or other fields must not be shown. */
function hide() {
  element('verdict').hidden = true
  element('findings').hidden = true
}

async function check() {
  const file = chosen
  if (file === null) return
  isStale = false
  try {
    if (file.size > internals.limits.bytes)
      throw new Error(`It is larger than ${internals.limits.bytes} bytes.`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    // The user selected another file meanwhile.
    if (file !== chosen) return
    report(show(file.name, bytes, options()))
  } catch (error) {
    if (file !== chosen) return
    showUnreadable(file.name, error)
    report([{ code: 'B1', kind: 'integrity', result: 'FAIL' }])
  }
  element('verdict').dataset.file = file.name
  element('verdict').hidden = false
  element('findings').hidden = false
}

async function choose(file) {
  if (!file) return
  chosen = file
  hide()
  await check()
  element('verdict').focus()
}

/** Sends the result to the page that embeds this one. */
function report(lines) {
  if (window.parent === window) return
  const count = (result) => lines.filter((line) => line.result === result).length
  const codes = lines.filter(({ result }) => result === 'NOT_CHECKED').map(({ code }) => code)
  const kinds = Object.keys(kindWords).map((kind) => [
    kind,
    worst(lines.filter((line) => line.kind === kind)) ?? 'NOT_CHECKED',
  ])
  const result = {
    type: 'result',
    pass: count('PASS'),
    fail: count('FAIL'),
    notChecked: [...new Set(codes)],
    ...Object.fromEntries(kinds),
  }
  // The embedding page compares the source, because the origin of a sandboxed page is null.
  window.parent.postMessage(result, '*')
}

const checkAgain = () => (isStale ? check() : undefined)

element('bundle').addEventListener('change', ({ target }) => choose(target.files[0]))
for (const id of ['issuer-key', 'known-checkpoint', 'log-key', 'witness', 'at']) {
  element(id).addEventListener('input', () => {
    isStale = true
    hide()
  })
  // Restoring the earlier input is not a change, but the verdict was hidden.
  for (const event of ['change', 'blur']) element(id).addEventListener(event, checkAgain)
}
const drop = element('drop')
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  drop.classList.add('over')
})
document.addEventListener('dragleave', () => drop.classList.remove('over'))
document.addEventListener('drop', (event) => {
  event.preventDefault()
  drop.classList.remove('over')
  void choose(event.dataTransfer.files[0])
})
window.addEventListener('message', ({ source, data }) => {
  if (window.parent === window || source !== window.parent || data?.type !== 'bundle') return
  document.documentElement.className = 'embedded'
  chosen = new File([data.bytes], 'passport.zip')
  hide()
  void check()
})
