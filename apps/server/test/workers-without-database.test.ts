// @module-tag postgres

import { expect, it, vi } from 'vitest'
import { startWorkers } from '../src/service.ts'
import { ask, breakable } from './support/breakable.ts'
import { newOrganization } from './support/service.ts'
import { until } from './support/until.ts'

it('workers that lose the database before their queue starts wait for it', async () => {
  const { service, takeAway, giveBack } = await breakable()
  const warned = vi.spyOn(service.services.log, 'warn')
  await takeAway()
  const starting = startWorkers(service.services)
  await until('an attempt that failed', () => warned.mock.calls.length > 0)
  await giveBack()
  await (await starting).stop()
})

it('workers that lose the database continue after it returns', async () => {
  const { service, takeAway, giveBack } = await breakable()
  const owner = await newOrganization(service)
  const workers = await startWorkers(service.services)
  try {
    await takeAway()
    expect((await ask(owner, 'listVenues')).status).toBe(503)
    await giveBack()
    await until('the service to recover', async () => {
      return (await ask(owner, 'listVenues')).status === 200
    })
  } finally {
    await workers.stop()
  }
})
