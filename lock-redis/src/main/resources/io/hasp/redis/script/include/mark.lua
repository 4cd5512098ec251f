-- The mark of a lock whose client may keep it without a use: its label begins with that client's channel, ^channel^. It is on the
-- server only as long as the client answers a recall, so whoever is refused asks there before it believes that the lock is in use.

-- The channel in the mark of a label; nil if there is none.
local function marked(label)
  return string.match(label, '^%^([^%^]+)%^')
end

local function unmarked(label)
  return (string.gsub(label, '^%^[^%^]+%^', ''))
end

-- Tells the client of a marked lock that the lock is wanted. True if it hears.
local function recall(lock, owner, label)
  local channel = marked(label)
  local heard = channel and redis.pcall('PUBLISH', channel, 'R|' .. owner .. '|' .. lock)
  return type(heard) == 'number' and heard > 0
end
