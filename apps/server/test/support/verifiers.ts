import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { assembleVerifierPage } from '../../src/http/routes/assemble-verifier-page.ts'
import { type VerifierOptions, verifyBundle } from '../../verifier/verify.mjs'

interface Answer {
  readonly ok: boolean
  readonly lines: readonly (readonly [code: string, result: string])[]
  /** The three questions with their answers. */
  readonly answers: readonly string[]
}

/** `verifyBundle` as verify.html contains it, with the hashes and signatures of the page, and no document or window. */
function verifierOfPage(): typeof verifyBundle {
  const [, script] = /<script type="module">([\s\S]*)<\/script>/.exec(assembleVerifierPage()) ?? []
  if (script === undefined) throw new Error('verify.html has no script.')
  const element = { addEventListener: () => undefined }
  const document = { ...element, getElementById: () => element }
  return new Function('document', 'window', `${script}\nreturn verifyBundle`)(document, element)
}

/** What the reader knows from elsewhere. */
export type Known = Pick<VerifierOptions, 'issuerKey' | 'knownCheckpoint' | 'logKey'> & {
  /** By chain and number: `1/100`. */
  readonly blockHashes?: Readonly<Record<string, string>>
}

const inProcess =
  (verify: typeof verifyBundle) =>
  (bundles: readonly Uint8Array[], { blockHashes, ...known }: Known): Answer[] =>
    bundles.map((bytes) => {
      const { ok, lines, answers } = verify(bytes, {
        ...known,
        ...(blockHashes ? { blockHashes: new Map(Object.entries(blockHashes)) } : {}),
      })
      return {
        ok,
        lines: lines.map(({ code, result }) => [code, result] as const),
        answers: answers.map(({ title, text }) => `${title}: ${text}`),
      }
    })

/** One process for all bundles. Signatures and hashes repeat between them, so it remembers those. */
const program = `
import base64, functools, json, sys
sys.path.insert(0, sys.argv[1])
import verify
for name in ('keccak', 'signed', 'recover'):
    setattr(verify, name, functools.lru_cache(None)(getattr(verify, name)))
options = json.loads(sys.argv[2])
for line in sys.stdin:
    data = base64.b64decode(line)
    lines = verify.verify(data, **options)
    answers = ['%s: %s' % one for one in verify.answers(lines, verify.as_of(data))]
    print(json.dumps({'ok': all(one[1] != 'FAIL' for one in lines), 'lines': [one[:2] for one in lines], 'answers': answers}))
`

/** Null without Python: the other two still answer. */
function askPython(bundles: readonly Uint8Array[], known: Known): Answer[] | null {
  const options = JSON.stringify({
    issuer_key: known.issuerKey,
    known_checkpoint: known.knownCheckpoint,
    log_key_: known.logKey,
    block_hashes: known.blockHashes,
  })
  const folder = fileURLToPath(new URL('../../verifier', import.meta.url))
  const run = spawnSync('python3', ['-B', '-c', program, folder, options], {
    input: bundles.map((one) => `${Buffer.from(one).toString('base64')}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (run.error && 'code' in run.error && run.error.code === 'ENOENT') return null
  if (run.status !== 0) throw new Error(run.stderr, { cause: run.error })
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export function askVerifiers(
  bundles: readonly Uint8Array[],
  issuerKey?: string,
  more: Omit<Known, 'issuerKey'> = {},
) {
  const known = { issuerKey, ...more }
  const python = askPython(bundles, known)
  return {
    'verify.mjs': inProcess(verifyBundle)(bundles, known),
    'verify.html': inProcess(verifierOfPage())(bundles, known),
    ...(python ? { 'verify.py': python } : {}),
  }
}

/** The checks that fail, each once, in their order; empty if the bundle is accepted. */
export function failingChecks({ lines }: Answer): string {
  const failing = new Set(lines.flatMap(([code, result]) => (result === 'FAIL' ? [code] : [])))
  return [...failing].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))).join(' ')
}
