/**
 * The page around verify.mjs: reads a selected or dropped bundle, calls verifyBundle and shows the
 * result as text.
 */
import { internals, simulatedWords, verifyBundle } from '../verify.mjs'

/** Title and meaning of each check. */
const checks = {
  B1: ['Files', 'Every file in the bundle has the hash in the manifest. No other files exist.'],
  B2: ['Form', 'The passport has only the members of its schema, in canonical form.'],
  B3: ['Content hash', 'The content hash matches the claims of the passport.'],
  B4: ['Issuer signature', 'The key in the passport signed these bytes.'],
  B5: [
    'Issuer key',
    'Anyone can create a key. Only a fingerprint from the issuer confirms whose key it is.',
  ],
  B6: ['Log entry', 'The publication is a leaf of an append-only log.'],
  B7: [
    'Log signature',
    'The checkpoint of the log is signed with the log key that the issuer named, or with its successor.',
  ],
  B8: [
    'Earlier log',
    'The log extends the checkpoint that you entered: no entry was removed or changed.',
  ],
  B9: ['Witness', 'A witness that you trust signed the same checkpoint.'],
  B10: [
    'Records',
    'Vault, score, observations, receipts and incidents have the hashes in the passport.',
  ],
  B11: [
    'Figures',
    'Figures are recomputed from the records: depth from pool states, reliability from samples, treasury figures from ledger entries. An asserted figure is not recomputed.',
  ],
  B12: [
    'Chain',
    'Owners, threshold and pools are proven against the block hash. Only an RPC node confirms the block hash: verify.mjs can ask one, this page cannot.',
  ],
  B13: [
    'Results registry',
    'If the passport names a results registry, the registry receipt is for this passport.',
  ],
  B14: ['Reports and badges', 'The service signed the hashes of the page, PDF, tables and badges.'],
  B15: [
    'Validity',
    'The passport is neither revoked nor expired at the time of the check. The bundle does not contain later revocations.',
  ],
}
const resultTexts = {
  PASS: 'Passed',
  ASSERTED: 'Asserted',
  NOT_CHECKED: 'Not checked',
  FAIL: 'Failed',
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
  ['FAIL', 'NOT_CHECKED', 'ASSERTED', 'PASS'].find((one) =>
    lines.some(({ result }) => result === one),
  )
const isOpen = ({ result }) => result === 'NOT_CHECKED' || result === 'ASSERTED'
const doPass = (lines, codes) =>
  codes.every((wanted) => worst(lines.filter(({ code }) => code === wanted)) === 'PASS')

/** The headline of the result. */
function verdictOf({ lines, ok }, at, passport) {
  const failed = new Set(lines.filter(({ result }) => result === 'FAIL').map(({ code }) => code))
  if (!ok)
    return [
      'FAIL',
      `Do not rely on this bundle: ${failed.size === 1 ? 'check' : 'checks'} ${[...failed].join(', ')} failed.`,
    ]
  if (!doPass(lines, ['B5', 'B6', 'B7', 'B15']))
    return [
      'NOT_CHECKED',
      'No check failed, but the issuer is not confirmed. Enter the fingerprint of the issuer key.',
    ]
  if (passport.validUntil <= now())
    return [
      'NOT_CHECKED',
      `No check failed for ${at}, but the passport expired at ${passport.validUntil}.`,
    ]
  const open = lines.filter(isOpen).length
  return [
    'PASS',
    open === 0
      ? 'All checks passed.'
      : `No check failed, and the issuer key has your fingerprint. Not checked or asserted: ${open} of ${lines.length}. Each line states its reason.`,
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
  const isKnown = worst(found.lines.filter(({ code }) => code === 'B15')) !== 'FAIL'
  return {
    ...parsed('passport.json'),
    revocationsAsOf: isKnown ? parsed('revocations.json').asOf : null,
  }
}

/** Issuer of the passport. */
function passportRows({ issuerName, slug, generatedAt, validUntil, revocationsAsOf }) {
  return [
    row('Issuer name (self-reported)', `${issuerName} (${slug})`),
    row('Issued', generatedAt),
    row('Valid until', validUntil),
    ...(revocationsAsOf === null ? [] : [row('Revocations known until', revocationsAsOf)]),
  ]
}

/** Combined result of several lines. If an earlier check ended them, none was checked. */
function resultTextOf(lines) {
  const result = worst(lines) ?? 'NOT_CHECKED'
  const isPart = isOpen({ result }) && lines.some((line) => line.result === 'PASS')
  return isPart ? 'Passed in part' : resultTexts[result]
}

function card(code, lines) {
  const [title, meaning] = checks[code]
  const result = worst(lines)
  const head = [made('h3', `${code} ${title}`), made('span', resultTextOf(lines))]
  const items = lines.map(({ result: own, detail }) => made('li', `${resultTexts[own]}: ${detail}`))
  return madeOf('article', [madeOf('div', head, result), made('p', meaning), madeOf('ul', items)])
}

function show(name, bytes, chosenOptions) {
  const found = verifyBundle(bytes, chosenOptions)
  const passport = signedParts(bytes, found)
  const [result, text] = verdictOf(found, chosenOptions.at, passport)
  const answers = found.answers.map(({ title, text }) => row(`${title}?`, text))
  element('verdict').className = result
  element('verdict').replaceChildren(
    made('strong', text),
    ...(found.simulated.length > 0 ? [made('p', `SIMULATED ${simulatedWords(found)}`)] : []),
    madeOf('dl', [
      row('File', name),
      ...(passport === null ? [] : passportRows(passport)),
      ...answers,
    ]),
  )
  const codes = [...new Set(found.lines.map(({ code }) => code))]
  const cards = codes.map((code) =>
    card(
      code,
      found.lines.filter((line) => line.code === code),
    ),
  )
  element('findings').replaceChildren(made('h2', 'Results by check'), ...cards)
  return found
}

function showUnreadable(name, { message }) {
  element('verdict').className = 'FAIL'
  element('verdict').replaceChildren(
    made('strong', 'The file cannot be read as a bundle.'),
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
      throw new Error(`The file is larger than ${internals.limits.bytes} bytes.`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    // The user selected another file meanwhile.
    if (file !== chosen) return
    report(show(file.name, bytes, options()))
  } catch (error) {
    if (file !== chosen) return
    showUnreadable(file.name, error)
    report({ lines: [{ code: 'B1', result: 'FAIL' }], results: failedResults })
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

const failedResults = {
  integrity: 'FAIL',
  authority: 'NOT_CHECKED',
  freshness: 'NOT_CHECKED',
  status: 'NOT_CHECKED',
}

/** Sends the result to the page that embeds this one. */
function report({ lines, results }) {
  if (window.parent === window) return
  const count = (result) => lines.filter((line) => line.result === result).length
  const codes = lines.filter(isOpen).map(({ code }) => code)
  const result = {
    type: 'result',
    pass: count('PASS'),
    fail: count('FAIL'),
    notChecked: codes,
    ...results,
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
