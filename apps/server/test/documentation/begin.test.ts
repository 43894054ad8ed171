// @module-tag long
// @covers docs apps/demo/src

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@liquidity-os/client'
import { readRecording } from '@liquidity-os/localchain'
import { describe, expect, it } from 'vitest'
import { drawLaunch } from '../../../../docs/pictures/draw.ts'
import { root } from './demo-process.ts'
import { differenceOf, fencesOf } from './examples.ts'
import type { RunningDemo } from './running-demo.ts'
import { testChapter } from './test-chapter.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function launchOf({ file }: RunningDemo) {
  const { baseUrl, organizationId, session, resources } = file
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  const study = await client.getStudies({ params: { id: resources.studyId ?? '' } })
  const params = { id: resources.observationId ?? '' }
  const observation = await client.getVenueObservations({ params })
  return { study: study.body.data, observation: observation.body.data }
}

testChapter('begin', (demo) => {
  describe('the first page', () => {
    it('shows the output of the demo', () => {
      const shown = fencesOf(read('README.md')).find(({ language }) => language === 'text')
      expect(shown).toBeDefined()
      expect(differenceOf(shown?.content ?? '', demo().printed)).toBeNull()
    })

    it('shows the picture of the study that the demo ran', async () => {
      const { study, observation } = await launchOf(demo())
      const drawn = drawLaunch(observation, study)
      // To print it again, beside a running demo: node docs/pictures/draw.ts > docs/pictures/launch.svg
      expect(drawn).toBe(read('docs/pictures/launch.svg'))
    })

    it('rests on the recorded blocks and on no trade of ours', async () => {
      const { study, observation } = await launchOf(demo())
      const { events } = readRecording(join(root, 'datasets/v3-ens-weth-from-init'))
      const { range, counts } = observation.payload
      expect(study.payload.spec.window).toMatchObject({ toBlock: range.to.number })
      expect(Date.parse(range.to.timestamp) / 1000).toBe(events.at(-1)?.timestamp)
      expect(counts.Swap).toBe(events.filter(({ kind }) => kind === 'SWAP').length)
    })
  })

  it('calls the program as npm finds it', async () => {
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: root, env: { PATH, HOME } }
    const found = await promisify(execFile)('npx', ['liquidity', '--version'], options)
    const own = await promisify(execFile)('node', ['bin/liquidity.js', '--version'], options)
    expect(found.stdout).toBe(own.stdout)
  })
})
