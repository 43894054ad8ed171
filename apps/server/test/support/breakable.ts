import { type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { onTestFinished } from 'vitest'
import { type PrivatePostgres, privatePostgres } from './private-postgres.ts'
import { serviceForTest, type TestMember, type TestService } from './service.ts'

export const onPostgres = Boolean(process.env.DATABASE_URL)
/** Status and code of a refused request. */
export const unavailable = [503, 'LIQUIDITY_STORE_UNAVAILABLE']

export async function ask(
  member: Pick<TestMember, 'options'>,
  id: string,
  request: LooseRequest = {},
) {
  const answer = await send(member.options, operationById.get(id)!, request)
  const text = await answer.text()
  const { headers, status } = answer
  return { status, headers, text, code: text ? JSON.parse(text).error?.code : undefined }
}

/** A service whose database can be taken away and given back. */
export async function breakable(): Promise<{
  service: TestService
  takeAway: () => Promise<void>
  giveBack: () => Promise<void>
}> {
  if (!onPostgres) return breakableEmbedded()
  const { service, server } = await serviceOnItsOwn()
  return {
    service,
    takeAway: async () => server.stop(),
    giveBack: async () => server.start(),
  }
}

/** A service on a private PostgreSQL. */
export async function serviceOnItsOwn(): Promise<{
  service: TestService
  server: PrivatePostgres
}> {
  const server = await privatePostgres()
  onTestFinished(() => {
    server.stop()
    server.remove()
  })
  const before = process.env.DATABASE_URL
  process.env.DATABASE_URL = server.url
  try {
    return { service: await serviceForTest(), server }
  } finally {
    process.env.DATABASE_URL = before
  }
}

/** The embedded database runs in the process; only the connection to it can fail. */
async function breakableEmbedded() {
  const service = await serviceForTest()
  const { pool } = service.database
  const connect = pool.connect.bind(pool)
  return {
    service,
    takeAway: async () => {
      const away = new Error('Connection terminated')
      pool.connect = ((heard?: (cause: Error) => void) =>
        heard ? heard(away) : Promise.reject(away)) as never
    },
    giveBack: async () => {
      pool.connect = connect as never
    },
  }
}
