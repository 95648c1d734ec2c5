module go-functions

go 1.26
