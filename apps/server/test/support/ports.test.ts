import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { reservePort } from './ports.ts'

it('lets a server listen on a reserved port more than once', async () => {
  const port = await reservePort()
  for (const start of ['first', 'second']) {
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    expect(server.address(), `${start} start`).toMatchObject({ port })
    server.close()
    await once(server, 'close')
  }
})

it('keeps a reserved port from other callers', async () => {
  const port = await reservePort()
  const others = Array.from({ length: 500 }, () => createServer().listen(0, '127.0.0.1'))
  onTestFinished(() => {
    for (const other of others) other.close()
  })
  await Promise.all(others.map((other) => once(other, 'listening')))
  expect(others.map((other) => other.address())).not.toContainEqual(
    expect.objectContaining({ port }),
  )
})
