import { Session } from 'node:inspector/promises'
import { expect } from 'vitest'
import { test } from './support/fixtures.ts'
import { contract } from '@liquidity-os/contract'
import { tell } from './support/requests.ts'

test('counts files', async ({ owner }) => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const run = async (name: string, work: () => Promise<unknown>) => {
    await work()
    await work()
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = new Set<string>()
    for (const script of result) {
      if (!script.url.includes('/apps/server/src/')) continue
      const ran = script.functions.some((f: any) => f.functionName !== '' && f.ranges.some((r: any) => r.count > 0))
      if (ran) files.add(script.url.replace(/.*apps\/server\/src\//, ''))
    }
    console.log(name, files.size, [...files].sort().join(' '))
    await session.post('Profiler.stopPreciseCoverage')
  }
  let id = ''
  const payload = contract.createIntents.example.body.payload
  await run('create', async () => {
    const told = await tell<any>(owner, 'createIntents', { body: { payload, status: 'VALIDATED', reason: 'For the test' } })
    expect(told.status).toBe(201)
    id = told.data.intent.id
  })
  await run('list', () => tell(owner, 'listIntents'))
  await run('get', () => tell(owner, 'getIntents', { params: { id } }))
})
