import { readdirSync, readFileSync } from 'node:fs'
import { type CodeTemplate, readCodeTemplate } from '../src/code-template.ts'
import { startLocalchain } from '../src/localchain.ts'

/**
 * Prints the template of a published build, for an adapter pack, and the adapters that have it:
 *
 *     node packages/localchain/bin/code-template.ts ARTIFACT.json
 *
 * Exit status 1 if no adapter has this template. Run it for a new version of a package.
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Usage: code-template.ts ARTIFACT.json')
const chain = await startLocalchain()
const template = await readCodeTemplate(chain, JSON.parse(readFileSync(file, 'utf8')))
await chain.stop()
const packs = new URL('../../contract/src/adapters/', import.meta.url)
const adapters = readdirSync(packs).flatMap(
  (name) =>
    JSON.parse(readFileSync(new URL(name, packs), 'utf8')).adapters as {
      adapterId: string
      templates?: CodeTemplate[]
    }[],
)
const known = adapters.filter(({ templates = [] }) =>
  templates.some(
    ({ hash, bytes, immutables }) =>
      hash === template.hash &&
      bytes === template.bytes &&
      immutables.join() === template.immutables.join(),
  ),
)
console.log(JSON.stringify(template))
console.log(known.length === 0 ? 'no adapter' : known.map(({ adapterId }) => adapterId).join('\n'))
process.exitCode = known.length === 0 ? 1 : 0
