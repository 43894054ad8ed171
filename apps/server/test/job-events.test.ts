// @module-tag postgres

import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../src/limits.ts'
import { writeRecord } from './support/resources.ts'
import {
  newOrganization,
  serviceForTest,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const cookieOf = (service: TestService, member: TestMember) =>
  `${service.config.sessionCookie}=${member.cookie}`

/** An open stream, and everything that came so far. */
async function listen(
  service: TestService,
  member: TestMember,
  organizationId = member.organizationId,
) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const answer = await fetch(`${service.baseUrl}/auth/organizations/${organizationId}/job-events`, {
    headers: { cookie: cookieOf(service, member) },
    signal: abort.signal,
  })
  const seen = { answer, text: '', hasEnded: false, abort }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) seen.text += decoder.decode(part, { stream: true })
    seen.hasEnded = true
  }
  void read().catch(() => {})
  return seen
}

const jobsIn = (text: string) =>
  [...text.matchAll(/^event: job\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))

/** A job of a kind that has no code: it stays where the test puts it. */
async function waitingJob(service: TestService, owner: TestMember): Promise<string> {
  const { id } = await writeRecord(service, owner, 'VenueObservation')
  return `job_${id.split('_').at(-1)}`
}

describe('the stream of job events', () => {
  it('reports a waiting job, its progress and its end, like /jobs', async () => {
    const service = await serviceForTest({ WORKER: 'none' })
    const owner = await newOrganization(service)
    const jobId = await waitingJob(service, owner)
    const seen = await listen(service, owner)
    expect(seen.answer.headers.get('content-type')).toBe('text/event-stream')
    const jobUpdates = () => jobsIn(seen.text).filter(({ id }) => id === jobId)
    await until('the job that waits', () => jobUpdates().length > 0)
    const change = (text: string) =>
      service.database.pool.query(`update jobs set ${text} where id = $1`, [jobId])
    await change(`status = 'RUNNING', progress_pips = 250000`)
    await until('its progress', () =>
      jobUpdates().some(({ progressPips }) => progressPips === 250_000),
    )
    await change(`status = 'FAILED', finished_at = ${service.clock.read()}`)
    await until('its end', () => jobUpdates().at(-1)?.status === 'FAILED')
    const { body } = await owner.client.listOperatingSystemJobs()
    expect(jobUpdates().at(-1)).toEqual(body.data.find(({ id }) => id === jobId))
    expect(seen.text).toMatch(/^retry: \d+$/m)

    const late = await listen(service, owner)
    await until('what ended a moment ago', () => jobsIn(late.text).length > 0)
  })

  it('is for members only, and reveals no other organization', async () => {
    const service = await serviceForTest({ WORKER: 'none' })
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const own = await waitingJob(service, one)
    await waitingJob(service, other)
    expect((await listen(service, other, one.organizationId)).answer.status).toBe(403)
    const url = `${service.baseUrl}/auth/organizations/${one.organizationId}/job-events`
    expect((await fetch(url)).status).toBe(401)
    const seen = await listen(service, one)
    await until('the own job', () => jobsIn(seen.text).length > 0)
    expect(jobsIn(seen.text).map(({ id }) => id)).toEqual([own])
  })

  it('forgets who leaves, also before it begins', async () => {
    const service = await serviceForTest({ WORKER: 'none' })
    const owner = await newOrganization(service)
    const seen = await listen(service, owner)
    const listening = () => service.services.committed.listenerCount('change')
    await until('the stream', () => seen.text !== '')
    seen.abort.abort()
    const path = `/auth/organizations/${owner.organizationId}/job-events`
    const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookieOf(service, owner)}\r\n\r\n`
    const { hostname, port } = new URL(service.baseUrl)
    const countFollowed = () =>
      service.services.metrics.print().then((text) => metricPattern.exec(text)?.[1])
    const metricPattern = /request_seconds_count\{operation="followJobs",status="200"\} (\d+)/
    for (let visit = 0; visit < 30; visit += 1) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(head)
      await new Promise((done) => setTimeout(done, visit / 10))
      socket.destroy()
    }
    await until('all of them', async () => Number(await countFollowed()) > 25)
    await until('the last to be forgotten', () => listening() === 0)
  })

  it('has slots per user, so many streams of one user do not block others', async () => {
    const service = await serviceForTest({ WORKER: 'none' })
    const [greedy, other] = [await newOrganization(service), await newOrganization(service)]
    const open = await Promise.all(
      Array.from({ length: limits.jobStreamsOfUser }, () => listen(service, greedy)),
    )
    expect(open.every(({ answer }) => answer.status === 200)).toBe(true)
    const refused = await listen(service, greedy)
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([429, '5'])
    expect((await listen(service, other)).answer.status).toBe(200)
    open[0]!.abort.abort()
    await until('a place to be free again', async () => {
      const next = await listen(service, greedy)
      return next.answer.status === 200
    })
  })

  it('ends with the session', async () => {
    const service = await serviceForTest({ WORKER: 'none' })
    const owner = await newOrganization(service)
    const seen = await listen(service, owner)
    const origin = new URL(service.config.baseUrl).origin
    const headers = { cookie: cookieOf(service, owner), origin }
    await fetch(`${service.baseUrl}/auth/logout`, { method: 'POST', headers })
    await until('the end of the stream', () => seen.hasEnded)
  })

  it('ends when the service stops, which it does not delay', async () => {
    const service = await startTestService({ WORKER: 'none' })
    const seen = await listen(service, await newOrganization(service))
    await service.stop()
    await until('the end of the stream', () => seen.hasEnded)
  })
})
