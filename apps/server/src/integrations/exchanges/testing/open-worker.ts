/** A process that reports an open network. */
process.stdout.write('{"kind":"READY","isIsolated":false}\n')
process.stdin.on('end', () => process.exit(0)).resume()
