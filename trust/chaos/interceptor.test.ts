import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../../apps/server/test/support/until.ts'
import { startInterceptor } from './interceptor.ts'

/** A server that says again what it is told, and remembers it; and somebody connected to it through the interceptor. */
async function conversation() {
  let requestText = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      requestText += bytes.toString()
      socket.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const interceptor = await startInterceptor(port)
  onTestFinished(async () => {
    await interceptor.close()
    server.close()
  })
  const client = connect(interceptor.port, '127.0.0.1')
  let received = ''
  client.on('data', (bytes) => {
    received += bytes.toString()
  })
  await once(client, 'connect')
  return { interceptor, client, port, asked: () => requestText, told: () => received }
}

it('forwards requests and responses', async () => {
  const { client, told: reportedMessages, interceptor } = await conversation()
  client.write('one')
  await until('the answer', () => reportedMessages() === 'one')
  expect(interceptor.connections()).toBe(1)
})

it('loses responses to executed statements', async () => {
  const { client, asked: requestText, told: reportedMessages, interceptor } = await conversation()
  interceptor.behave('LOSE_ANSWERS')
  client.write('lost')
  await until('the answer to be lost', () => interceptor.lostBytes() === 'lost'.length)
  interceptor.behave('PASS')
  client.write('heard')
  await until('the next answer', () => reportedMessages() === 'heard')
  expect(requestText()).toBe('lostheard')
})

it('holds everything, and lets it through later', async () => {
  const {
    client,
    port,
    asked: requestText,
    told: reportedMessages,
    interceptor,
  } = await conversation()
  interceptor.behave('HOLD')
  client.write('held')
  const direct = connect(port, '127.0.0.1')
  direct.write('direct')
  await once(direct, 'data')
  direct.destroy()
  expect(requestText()).toBe('direct')
  interceptor.behave('PASS')
  await until('the answer', () => reportedMessages() === 'held')
})

it('cuts connections without a word', async () => {
  const { client, interceptor } = await conversation()
  const closed = once(client, 'close')
  interceptor.cut()
  await closed
  await until('no connection to be open', () => interceptor.connections() === 0)
})
