import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@liquidity-os/client'
import { readRecording } from '@liquidity-os/localchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawLaunch } from '../../../../docs/pictures/draw.ts'
import { differenceOf, examplesOf, fencesOf, runExamples } from './examples.ts'
import { type RunningDemo, root, startDemo } from './running-demo.ts'

let demo: RunningDemo
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo?.stop())

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function launchOf({ file }: RunningDemo) {
  const { baseUrl, organizationId, session, resources } = file
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  const study = await client.getStudies({ params: { id: resources.studyId ?? '' } })
  const params = { id: resources.observationId ?? '' }
  const observation = await client.getVenueObservations({ params })
  return { study: study.body.data, observation: observation.body.data }
}

/** Every page that has a command to execute. */
const pages = globSync('docs/**/*.md', { cwd: root }).filter(
  (path) => examplesOf(read(path)).length > 0,
)

describe('the first page', () => {
  it('shows what the demo prints', () => {
    const shown = fencesOf(read('README.md')).find(({ language }) => language === 'text')
    expect(shown).toBeDefined()
    expect(differenceOf(shown?.content ?? '', demo.printed)).toBeNull()
  })

  it('shows the picture of the study that the demo ran', async () => {
    const { study, observation } = await launchOf(demo)
    const drawn = drawLaunch(observation, study)
    // Otherwise, beside a running demo: node docs/pictures/draw.ts > docs/pictures/launch.svg
    expect(drawn).toBe(read('docs/pictures/launch.svg'))
  })

  it('rests on the recorded blocks and on no trade of ours', async () => {
    const { study, observation } = await launchOf(demo)
    const { events } = readRecording(join(root, 'datasets/v3-ens-weth-from-init'))
    const { range, counts } = observation.payload
    expect(study.payload.spec.window).toMatchObject({ toBlock: range.to.number })
    expect(Date.parse(range.to.timestamp) / 1000).toBe(events.at(-1)?.timestamp)
    expect(counts.Swap).toBe(events.filter(({ kind }) => kind === 'SWAP').length)
  })
})

describe('executed examples', () => {
  it('call the program as npm finds it', async () => {
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: root, env: { PATH, HOME } }
    const found = await promisify(execFile)('npx', ['liquidity', '--version'], options)
    const own = await promisify(execFile)('node', ['bin/liquidity.js', '--version'], options)
    expect(found.stdout).toBe(own.stdout)
  })

  // A page starts a hundred short processes, each of which waits for its turn on a machine that is busy.
  it.each(pages)('%s prints what it promises', { timeout: 300_000 }, async (path) => {
    const examples = examplesOf(read(path))
    const { outputs, status } = await runExamples(examples, {
      cwd: root,
      environment: demo.environment,
    })
    for (const [index, output] of outputs.entries()) {
      const { line, expected } = examples[index] ?? { line: 0, expected: null }
      if (expected !== null) expect(differenceOf(expected, output), `${path}:${line}`).toBeNull()
    }
    const last = examples[outputs.length - 1]
    expect(status, `${path}:${last?.line} ended with\n${outputs.at(-1)}`).toBe(0)
    expect(outputs).toHaveLength(examples.length)
  })
})
