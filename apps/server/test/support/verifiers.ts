import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { assembleVerifierPage } from '../../src/http/routes/assemble-verifier-page.ts'
import { verifyBundle } from '../../verifier/verify.mjs'

interface Answer {
  readonly ok: boolean
  readonly lines: readonly (readonly [code: string, result: string])[]
}

/** `verifyBundle` as verify.html contains it, with the hashes and signatures of the page, and no document or window. */
function verifierOfPage(): typeof verifyBundle {
  const [, script] = /<script type="module">([\s\S]*)<\/script>/.exec(assembleVerifierPage()) ?? []
  if (script === undefined) throw new Error('verify.html has no script.')
  const element = { addEventListener: () => undefined }
  const document = { ...element, getElementById: () => element }
  return new Function('document', 'window', `${script}\nreturn verifyBundle`)(document, element)
}

const inProcess =
  (verify: typeof verifyBundle) =>
  (bundles: readonly Uint8Array[], issuerKey: string | undefined): Answer[] =>
    bundles.map((bytes) => {
      const { ok, lines } = verify(bytes, { issuerKey })
      return { ok, lines: lines.map(({ code, result }) => [code, result] as const) }
    })

/** One process for all bundles. Signatures and hashes repeat between them, so it remembers those. */
const program = `
import base64, functools, json, sys
sys.path.insert(0, sys.argv[1])
import verify
for name in ('keccak', 'signed', 'recover'):
    setattr(verify, name, functools.lru_cache(None)(getattr(verify, name)))
for line in sys.stdin:
    lines = verify.verify(base64.b64decode(line), issuer_key=sys.argv[2] or None)
    print(json.dumps({'ok': all(one[1] != 'FAIL' for one in lines), 'lines': [one[:2] for one in lines]}))
`

/** Null without Python: the other two still answer. */
function askPython(bundles: readonly Uint8Array[], issuerKey = ''): Answer[] | null {
  const folder = fileURLToPath(new URL('../../verifier', import.meta.url))
  const run = spawnSync('python3', ['-B', '-c', program, folder, issuerKey], {
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

export function askVerifiers(bundles: readonly Uint8Array[], issuerKey?: string) {
  const python = askPython(bundles, issuerKey)
  return {
    'verify.mjs': inProcess(verifyBundle)(bundles, issuerKey),
    'verify.html': inProcess(verifierOfPage())(bundles, issuerKey),
    ...(python ? { 'verify.py': python } : {}),
  }
}

/** The checks that fail, each once, in their order; empty if the bundle is accepted. */
export function failingChecks({ lines }: Answer): string {
  const failing = new Set(lines.flatMap(([code, result]) => (result === 'FAIL' ? [code] : [])))
  return [...failing].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))).join(' ')
}
