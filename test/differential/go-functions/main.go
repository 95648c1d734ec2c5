// go-functions answers for functions of Go's standard library: one JSON object a line in, one a line out, in order.
// Texts are base64, so that they can hold any bytes. Run it with `go run .` or build it; it needs no modules.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"mime"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/textproto"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type input map[string]any
type output = map[string]any

func (in input) bytes(key string) []byte {
	s, _ := in[key].(string)
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func (in input) text(key string) string { return string(in.bytes(key)) }

// b64 makes any bytes survive JSON.
func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func failed(err error) output { return output{"error": b64(err.Error())} }

func urlOf(u *url.URL) output {
	values := u.Query()
	query := map[string]any{}
	for k, vs := range values {
		var out []string
		for _, v := range vs {
			out = append(out, b64(v))
		}
		query[b64(k)] = out
	}
	return output{
		"scheme": b64(u.Scheme), "opaque": b64(u.Opaque), "user": b64(u.User.String()), "host": b64(u.Host), "hostname": b64(u.Hostname()),
		"port": b64(u.Port()), "path": b64(u.Path), "rawPath": b64(u.RawPath), "escapedPath": b64(u.EscapedPath()), "rawQuery": b64(u.RawQuery),
		"fragment": b64(u.Fragment), "rawFragment": b64(u.RawFragment), "text": b64(u.String()), "requestUri": b64(u.RequestURI()), "query": query,
	}
}

func float(in input) float64 {
	bits, err := strconv.ParseUint(in["bits"].(string), 16, 64)
	if err != nil {
		panic(err)
	}
	return math.Float64frombits(bits)
}

func classes(a netip.Addr) output {
	return output{
		"text": b64(a.String()), "unspecified": a.IsUnspecified(), "loopback": a.IsLoopback(), "linkLocalMulticast": a.IsLinkLocalMulticast(),
		"linkLocalUnicast": a.IsLinkLocalUnicast(), "globalUnicast": a.IsGlobalUnicast(),
	}
}

var functions = map[string]func(in input) output{
	"quote": func(in input) output {
		s := in.text("text")
		return output{"quote": b64(strconv.Quote(s)), "ascii": b64(strconv.QuoteToASCII(s))}
	},
	"format-float": func(in input) output {
		f := float(in)
		return output{
			"g": strconv.FormatFloat(f, 'g', -1, 64), "f": strconv.FormatFloat(f, 'f', -1, 64), "g32": strconv.FormatFloat(f, 'g', -1, 32),
			"f6": fmt.Sprintf("%f", f), "f2": fmt.Sprintf("%.2f", f), "v": fmt.Sprintf("%v", f),
		}
	},
	"json-float": func(in input) output {
		b, err := json.Marshal(float(in))
		if err != nil {
			return failed(err)
		}
		return output{"text": string(b)}
	},
	"parse-float": func(in input) output {
		f, err := strconv.ParseFloat(in.text("text"), 64)
		if err != nil {
			return failed(err)
		}
		return output{"bits": fmt.Sprintf("%016x", math.Float64bits(f))}
	},
	"parse-int": func(in input) output {
		n, err := strconv.ParseInt(in.text("text"), 10, 64)
		if err != nil {
			return failed(err)
		}
		return output{"value": strconv.FormatInt(n, 10)}
	},
	"parse-uint": func(in input) output {
		n, err := strconv.ParseUint(in.text("text"), 10, 64)
		if err != nil {
			return failed(err)
		}
		return output{"value": strconv.FormatUint(n, 10)}
	},
	"parse-bool": func(in input) output {
		v, err := strconv.ParseBool(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"value": v}
	},
	"parse-duration": func(in input) output {
		d, err := time.ParseDuration(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"nanoseconds": strconv.FormatInt(int64(d), 10), "text": d.String(), "seconds": fmt.Sprintf("%016x", math.Float64bits(d.Seconds()))}
	},
	"parse-time": func(in input) output {
		t, err := time.Parse(time.RFC3339, in.text("text"))
		if err != nil {
			return failed(err)
		}
		_, offset := t.Zone()
		return output{
			"seconds": strconv.FormatInt(t.Unix(), 10), "nanoseconds": t.Nanosecond(), "offset": offset,
			"utc": b64(t.UTC().Format(time.RFC3339)), "civil": []int{t.Year(), int(t.Month()), t.Day(), t.YearDay(), int(t.Weekday()), t.Hour(), t.Minute(), t.Second()},
		}
	},
	"parse-micro-time": func(in input) output {
		t, err := time.Parse("2006-01-02T15:04:05.000000Z07:00", in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"seconds": strconv.FormatInt(t.Unix(), 10), "nanoseconds": t.Nanosecond()}
	},
	"atoi": func(in input) output {
		n, err := strconv.Atoi(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"value": strconv.Itoa(n)}
	},
	"status-text": func(in input) output { return output{"text": http.StatusText(int(in["code"].(float64)))} },
	"format-time": func(in input) output {
		seconds, _ := strconv.ParseInt(in["seconds"].(string), 10, 64)
		offset := int(in["offset"].(float64))
		zone := time.FixedZone("", offset)
		if offset == 0 {
			zone = time.UTC
		}
		t := time.Unix(seconds, int64(in["nanoseconds"].(float64))).In(zone)
		return output{"rfc3339": t.Format(time.RFC3339Nano), "v": t.String()}
	},
	"trim-space": func(in input) output { return output{"text": b64(strings.TrimSpace(in.text("text")))} },
	"media-type": func(in input) output {
		t, p, err := mime.ParseMediaType(in.text("text"))
		out := output{"type": b64(t)}
		if err != nil {
			out = failed(err)
			out["type"] = b64(t)
		}
		params := map[string]string{}
		for k, v := range p {
			params[b64(k)] = b64(v)
		}
		out["parameters"] = params
		return out
	},
	"decode-header": func(in input) output {
		var decoder mime.WordDecoder
		s, err := decoder.DecodeHeader(in.text("text"))
		if err != nil {
			// ParseWarningHeaders keeps such a text as it is.
			return output{"text": in["text"]}
		}
		return output{"text": b64(s)}
	},
	"header-name": func(in input) output { return output{"name": b64(textproto.CanonicalMIMEHeaderKey(in.text("text")))} },
	"base64": func(in input) output {
		b, err := base64.StdEncoding.DecodeString(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"bytes": b64(string(b))}
	},
	"utf8": func(in input) output {
		s := in.text("text")
		return output{"runes": b64(string([]rune(s))), "valid": utf8.ValidString(s), "count": utf8.RuneCountInString(s)}
	},
	"compare-keys": func(in input) output { return output{"order": strings.Compare(in.text("a"), in.text("b"))} },
	"parse-url": func(in input) output {
		u, err := url.Parse(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return urlOf(u)
	},
	"parse-request-uri": func(in input) output {
		u, err := url.ParseRequestURI(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return urlOf(u)
	},
	"resolve-reference": func(in input) output {
		base, err := url.Parse(in.text("base"))
		if err != nil {
			return output{"base": b64(err.Error())}
		}
		u, err := base.Parse(in.text("reference"))
		if err != nil {
			return failed(err)
		}
		return urlOf(u)
	},
	"parse-address": func(in input) output {
		a, err := netip.ParseAddr(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return classes(a)
	},
	"parse-prefix": func(in input) output {
		p, err := netip.ParsePrefix(in.text("text"))
		if err != nil {
			return failed(err)
		}
		out := output{"text": p.String(), "masked": p.Masked().String()}
		if a, err := netip.ParseAddr(in.text("address")); err == nil {
			out["contains"] = p.Contains(a)
		}
		if q, err := netip.ParsePrefix(in.text("other")); err == nil {
			out["overlaps"] = p.Overlaps(q)
		}
		return out
	},
	"parse-ip": func(in input) output {
		ip := net.ParseIP(in.text("text"))
		if ip == nil {
			return output{"ip": nil}
		}
		return output{"ip": ip.String(), "four": ip.To4() != nil}
	},
	"mail-address": func(in input) output {
		a, err := mail.ParseAddress(in.text("text"))
		return output{"valid": err == nil && a.Address != ""}
	},
	"json-string": func(in input) output {
		b, err := json.Marshal(in.text("text"))
		if err != nil {
			return failed(err)
		}
		return output{"json": b64(string(b))}
	},
	"json-indent": func(in input) output {
		var compact, indented bytes.Buffer
		if err := json.Compact(&compact, in.bytes("text")); err != nil {
			return failed(err)
		}
		escaped, err := json.Marshal(json.RawMessage(compact.Bytes()))
		if err != nil {
			return failed(err)
		}
		if err := json.Indent(&indented, escaped, "", "  "); err != nil {
			return failed(err)
		}
		return output{"indented": b64(indented.String())}
	},
	"fold-name": func(in input) output {
		var v struct{ Kinds any }
		b, err := json.Marshal(map[string]int{in.text("text"): 1})
		if err != nil {
			return failed(err)
		}
		if err := json.Unmarshal(b, &v); err != nil {
			return failed(err)
		}
		return output{"found": v.Kinds != nil}
	},
	"key-pair": func(in input) output {
		if _, err := tls.X509KeyPair(in.bytes("certificate"), in.bytes("key")); err != nil {
			return failed(err)
		}
		return output{}
	},
}

func answer(line []byte) (out output) {
	defer func() {
		if r := recover(); r != nil {
			out = output{"panic": fmt.Sprint(r)}
		}
	}()
	var in input
	if err := json.Unmarshal(line, &in); err != nil {
		return output{"inputError": err.Error()}
	}
	name, _ := in["fn"].(string)
	fn, ok := functions[name]
	if !ok {
		return output{"inputError": "unknown fn " + name}
	}
	return fn(in)
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "list" {
		var names []string
		for name := range functions {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Println(strings.Join(names, "\n"))
		return
	}
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	writer := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer writer.Flush()
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if encodeError := encoder.Encode(answer(line)); encodeError != nil {
				panic(encodeError)
			}
		}
		if err != nil {
			return
		}
	}
}
