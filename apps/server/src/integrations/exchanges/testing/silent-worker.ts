/** A process that never answers a read. */
process.stdout.write('{"kind":"READY","isIsolated":true}\n')
process.stdin.on('end', () => process.exit(0)).resume()
