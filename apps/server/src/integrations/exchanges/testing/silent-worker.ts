/** A process that never answers a read. */
process.send?.({ kind: 'READY', isIsolated: true })
process.on('message', () => {})
process.on('disconnect', () => process.exit(0))
